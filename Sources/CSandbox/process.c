#include "CSandbox.h"

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

int32_t csandbox_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno; }

int32_t csandbox_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno; }

int32_t csandbox_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    /* Ambient ones, which survive an exec, go with the inheritable ones. */
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

static int number_of(int32_t resource) {
    switch (resource) {
        case CSANDBOX_ADDRESS_SPACE: return RLIMIT_AS;
        case CSANDBOX_DATA: return RLIMIT_DATA;
        case CSANDBOX_DESCRIPTORS: return RLIMIT_NOFILE;
        case CSANDBOX_PROCESSES: return RLIMIT_NPROC;
        case CSANDBOX_CORE: return RLIMIT_CORE;
        case CSANDBOX_FILE_SIZE: return RLIMIT_FSIZE;
        default: return -1;
    }
}

int32_t csandbox_limit(int32_t resource, uint64_t value) {
    int number = number_of(resource);
    struct rlimit limit;
    if (number < 0) return EINVAL;
    if (getrlimit(number, &limit) != 0) return errno;
    if (limit.rlim_max > value) limit.rlim_max = value;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return setrlimit(number, &limit) == 0 ? 0 : errno;
}

bool csandbox_has_shadow_memory(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) \
    || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    return true;
#else
    return false;
#endif
}

int32_t csandbox_ignore_file_size_signal(void) { return signal(SIGXFSZ, SIG_IGN) == SIG_ERR ? errno : 0; }
