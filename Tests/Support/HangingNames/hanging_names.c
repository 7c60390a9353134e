#define _GNU_SOURCE
#include "hanging_names.h"

#include <dlfcn.h>
#include <netdb.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

typedef int lookup(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static atomic_int begun;

int32_t hanging_names_begun(void) { return atomic_load(&begun); }

static int hangs(const char *name) {
    static const char ending[] = ".hangs.invalid";
    size_t length = name ? strlen(name) : 0;
    return length >= sizeof ending - 1 && strcmp(name + length - (sizeof ending - 1), ending) == 0;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    if (hangs(name)) {
        atomic_fetch_add(&begun, 1);
        sleep(30);
        return EAI_AGAIN;
    }
    lookup *real = (lookup *)dlsym(RTLD_NEXT, "getaddrinfo");
    return real ? real(name, service, hints, result) : EAI_SYSTEM;
}
