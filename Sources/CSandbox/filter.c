#include "CSandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

bool csandbox_filter_is_supported(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

#ifdef NATIVE_ARCHITECTURE

/* Room for twice today's program. */
#define CAPACITY 512
#define X32_BIT 0x40000000u

#define REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define ABSENT (SECCOMP_RET_ERRNO | ENOSYS)

struct program {
    struct sock_filter steps[CAPACITY];
    unsigned short count;
    bool is_full;
};

/* Calls that no plugin needs and that reach beyond its process: always refused. */
static const uint32_t ALWAYS_REFUSED[] = {
    /* other processes */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_tkill, SYS_migrate_pages, SYS_move_pages,
    424 /* pidfd_send_signal */, 434 /* pidfd_open */, 438 /* pidfd_getfd */, 440 /* process_madvise */,
    448 /* process_mrelease */,
    /* new processes and programs */
    SYS_execve, SYS_execveat,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    /* namespaces and mounts */
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, 428 /* open_tree */, 429 /* move_mount */,
    430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */,
    467 /* open_tree_attr */,
    /* the kernel */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, 425 /* io_uring_setup */, 426 /* io_uring_enter */,
    427 /* io_uring_register */, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
    SYS_syslog, SYS_acct, SYS_swapon, SYS_swapoff, SYS_quotactl, 443 /* quotactl_fd */, SYS_nfsservctl, SYS_vhangup,
    SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
    /* keys, and files by handles instead of paths */
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init,
};

/* Shared memory by number, which any process of the user could be at the other end of. */
static const uint32_t SYSTEM_V[] = {
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semctl, SYS_semtimedop, SYS_msgget, SYS_msgsnd,
    SYS_msgrcv, SYS_msgctl,
};

/* What Landlock does not look at, so that only this keeps a plugin from changing files that it cannot open. */
static const uint32_t ATTRIBUTES[] = {
    SYS_truncate, SYS_fchmodat, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr,
    SYS_utimensat, 452 /* fchmodat2 */, 463 /* setxattrat */, 466 /* removexattrat */,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

static void add(struct program *program, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    if (program->count == CAPACITY) {
        program->is_full = true;
        return;
    }
    program->steps[program->count++] = (struct sock_filter)BPF_JUMP(code, value, if_true, if_false);
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The low half of an argument. The kernel looks at no more of an int, and both machines are little-endian. */
static void load_argument(struct program *program, int index) {
    load(program, offsetof(struct seccomp_data, args) + (size_t)index * sizeof(uint64_t));
}

static void answer(struct program *program, uint32_t action) { add(program, BPF_RET | BPF_K, action, 0, 0); }

/* Answers `action` if the loaded value is `value`. */
static void answer_if(struct program *program, uint32_t value, uint32_t action) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(program, action);
}

/* Answers `action` if the loaded value has one of these bits. */
static void answer_if_any(struct program *program, uint32_t bits, uint32_t action) {
    add(program, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(program, action);
}

static void refuse_all(struct program *program, const uint32_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) answer_if(program, numbers[i], REFUSED);
}

/* Begins the steps for one system call, every way through which has to end in an answer. */
static unsigned short begin(struct program *program, uint32_t number) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 0);
    return program->count;
}

/* Ends them: other system calls jump to here. */
static void end(struct program *program, unsigned short start, uint32_t otherwise) {
    answer(program, otherwise);
    if (!program->is_full) program->steps[start - 1].jf = (uint8_t)(program->count - start);
}

static void check_architecture(struct program *program) {
    load(program, offsetof(struct seccomp_data, arch));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
    answer(program, REFUSED);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    /* x32 has numbers of its own for the same calls. */
    add(program, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    answer(program, REFUSED);
#endif
}

/* Numbers, not the names of <sys/socket.h>: the constants of both C libraries and the kernel are the same. */
enum { UNIX = 1, INET = 2, INET6 = 10, NETLINK = 16, BLUETOOTH = 31, NETLINK_FOR_ROUTES = 0 };

/* The only list of what is allowed: a family that is unknown here is refused. */
static void check_sockets(struct program *program, const csandbox_filter_options *options) {
    unsigned short start = begin(program, SYS_socket);
    load_argument(program, 0);
    if (options->local_sockets) answer_if(program, UNIX, SECCOMP_RET_ALLOW);
    if (options->bluetooth_sockets) answer_if(program, BLUETOOTH, SECCOMP_RET_ALLOW);
    if (options->network_sockets) {
        answer_if(program, INET, SECCOMP_RET_ALLOW);
        answer_if(program, INET6, SECCOMP_RET_ALLOW);
        add(program, BPF_JMP | BPF_JEQ | BPF_K, NETLINK, 0, 3);
        load_argument(program, 2);
        answer_if(program, NETLINK_FOR_ROUTES, SECCOMP_RET_ALLOW);
    }
    end(program, start, REFUSED);
    start = begin(program, SYS_socketpair);
    load_argument(program, 0);
    answer_if(program, UNIX, SECCOMP_RET_ALLOW);
    end(program, start, REFUSED);
}

/* Threads, but no processes and no namespaces. */
static void check_threads(struct program *program) {
    const uint32_t thread = 0x00010000, namespaces = 0x7E020000;
    /* Its flags are in memory, where a filter cannot look. The C library then uses clone. */
    answer_if(program, 435 /* clone3 */, ABSENT);
    unsigned short start = begin(program, SYS_clone);
    load_argument(program, 0);
    answer_if_any(program, namespaces, REFUSED);
    answer_if_any(program, thread, SECCOMP_RET_ALLOW);
    end(program, start, REFUSED);
}

/* The process may signal itself and limit itself; `process` is its number. */
static void check_processes(struct program *program, uint32_t process) {
    const uint32_t signals[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};
    unsigned short start;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        start = begin(program, signals[i]);
        load_argument(program, 0);
        answer_if(program, process, SECCOMP_RET_ALLOW);
        end(program, start, REFUSED);
    }
    start = begin(program, SYS_prlimit64);
    load_argument(program, 0);
    answer_if(program, 0, SECCOMP_RET_ALLOW);
    answer_if(program, process, SECCOMP_RET_ALLOW);
    end(program, start, REFUSED);
    start = begin(program, SYS_setpriority);
    load_argument(program, 0);
    answer_if(program, 0 /* PRIO_PROCESS; the others name groups and users */, SECCOMP_RET_ALLOW);
    end(program, start, REFUSED);
}

/* Calls of many meanings, a few of which reach other processes. */
static void check_commands(struct program *program) {
    unsigned short start = begin(program, SYS_ioctl);
    load_argument(program, 1);
    answer_if(program, 0x5412 /* TIOCSTI: types into a terminal */, REFUSED);
    answer_if(program, 0x541C /* TIOCLINUX: pastes into a console */, REFUSED);
    answer_if(program, 0x8901 /* FIOSETOWN: whom SIGIO goes to */, REFUSED);
    answer_if(program, 0x8902 /* SIOCSPGRP: the same */, REFUSED);
    end(program, start, SECCOMP_RET_ALLOW);
    start = begin(program, SYS_fcntl);
    load_argument(program, 1);
    answer_if(program, 8 /* F_SETOWN: whom SIGIO goes to */, REFUSED);
    answer_if(program, 15 /* F_SETOWN_EX */, REFUSED);
    end(program, start, SECCOMP_RET_ALLOW);
    start = begin(program, SYS_prctl);
    load_argument(program, 0);
    answer_if(program, PR_SET_DUMPABLE, REFUSED);
    end(program, start, SECCOMP_RET_ALLOW);
    start = begin(program, SYS_personality);
    load_argument(program, 0);
    answer_if(program, 0xFFFFFFFF /* asks, changes nothing */, SECCOMP_RET_ALLOW);
    end(program, start, REFUSED);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int32_t csandbox_filter_install(const csandbox_filter_options *options) {
    struct program program = {.count = 0, .is_full = false};
    check_architecture(&program);
    check_sockets(&program, options);
    check_threads(&program);
    check_processes(&program, (uint32_t)getpid());
    check_commands(&program);
    refuse_all(&program, ALWAYS_REFUSED, COUNT(ALWAYS_REFUSED));
    if (!options->local_sockets) refuse_all(&program, SYSTEM_V, COUNT(SYSTEM_V));
    if (!options->file_attributes) refuse_all(&program, ATTRIBUTES, COUNT(ATTRIBUTES));
    answer(&program, SECCOMP_RET_ALLOW);
    if (program.is_full) return E2BIG;
    struct sock_fprog filter = {.len = program.count, .filter = program.steps};
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    if (result == 0) return 0;
    /* A positive answer is the thread that has a filter of its own. */
    return result > 0 ? EBUSY : errno;
}

#else

int32_t csandbox_filter_install(const csandbox_filter_options *options) {
    (void)options;
    return ENOSYS;
}

#endif
