#include "CShims.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TOUCHES_MAX = 64 }; /* a test arms the range a few times and every arming notes about one touch */

static struct {
    char *start; /* atomic; null while nothing is watched */
    size_t length;
    int32_t count; /* atomic */
    pid_t threads[TOUCHES_MAX];
} watch;

/* mprotect and gettid are system calls without state, so both may be made in a handler. */
static void touched(int number, siginfo_t *info, void *context) {
    (void)context;
    char *start = __atomic_load_n(&watch.start, __ATOMIC_ACQUIRE);
    char *address = info->si_addr;
    if (!start || address < start || address >= start + watch.length) {
        signal(number, SIG_DFL); /* somebody else's fault: it happens again and ends the process */
        return;
    }
    int32_t index = __atomic_fetch_add(&watch.count, 1, __ATOMIC_ACQ_REL);
    if (index < TOUCHES_MAX) watch.threads[index] = cshims_thread_id();
    mprotect(start, watch.length, PROT_READ | PROT_WRITE);
}

int32_t cshims_watch_begin(void *start, size_t length, int32_t protection) {
    struct sigaction action = {.sa_sigaction = touched, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    watch.length = length;
    __atomic_store_n(&watch.start, (char *)start, __ATOMIC_RELEASE);
    if (sigaction(SIGSEGV, &action, NULL) != 0) return -1;
    return mprotect(start, length, protection);
}

int32_t cshims_watch_touches(pid_t *threads, int32_t capacity) {
    int32_t count = __atomic_load_n(&watch.count, __ATOMIC_ACQUIRE);
    for (int32_t index = 0; index < count && index < capacity && index < TOUCHES_MAX; index++) {
        threads[index] = watch.threads[index];
    }
    return count;
}

void cshims_watch_end(void) {
    char *start = __atomic_load_n(&watch.start, __ATOMIC_ACQUIRE);
    if (start) mprotect(start, watch.length, PROT_READ | PROT_WRITE);
}

pid_t cshims_thread_id(void) { return (pid_t)syscall(SYS_gettid); }
