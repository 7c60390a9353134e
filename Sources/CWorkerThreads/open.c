#include "CWorkerThreads.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ROOT[] = "/proc/";

const char *cworkerthreads_reachable(const char *path, char *own, unsigned long capacity) {
    if (strncmp(path, ROOT, sizeof ROOT - 1) != 0) return path;
    const char *number = path + sizeof ROOT - 1;
    size_t digits = strspn(number, "0123456789");
    if (digits == 0 || digits > 10 || strcmp(number + digits, "/stat") != 0) return path;
    snprintf(own, capacity, "/proc/self/task/%.*s/stat", (int)digits, number);
    /* Another process's stays what it is. */
    return access(own, R_OK) == 0 ? own : path;
}

__attribute__((visibility("default"))) int open(const char *path, int flags, ...) {
    char own[64];
    mode_t mode = 0;
    if (flags & (O_CREAT | __O_TMPFILE)) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    return openat(AT_FDCWD, cworkerthreads_reachable(path, own, sizeof own), flags, mode);
}
