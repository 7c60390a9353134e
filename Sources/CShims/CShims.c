#include "CShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int32_t cshims_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cshims_eventfd_signal(int32_t fd) {
    uint64_t one = 1;
    ssize_t done;
    do {
        done = write(fd, &one, sizeof one);
    } while (done < 0 && errno == EINTR);
}

uint64_t cshims_eventfd_drain(int32_t fd) {
    uint64_t count = 0;
    ssize_t done;
    do {
        done = read(fd, &count, sizeof count);
    } while (done < 0 && errno == EINTR);
    return done == (ssize_t)sizeof count ? count : 0;
}

int32_t cshims_pidfd_open(pid_t pid) { return (int32_t)syscall(SYS_pidfd_open, pid, 0); }

int32_t cshims_spawn_close_from(posix_spawn_file_actions_t *actions, int32_t first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void cshims_name_thread(const char *name) {
    char cut[16];
    strncpy(cut, name, sizeof cut - 1);
    cut[sizeof cut - 1] = '\0';
    pthread_setname_np(pthread_self(), cut);
}

int32_t cshims_pipe(int32_t *read_end, int32_t *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

void cshims_forbid_dumps(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

ptrdiff_t cshims_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    if (bytes == NULL || wanted == NULL) { return -1; }
    const char *found = memmem(bytes, count, wanted, wanted_count);
    return found == NULL ? -1 : found - (const char *)bytes;
}
