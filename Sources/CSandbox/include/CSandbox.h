/* The system calls by which a process gives up rights for good. Nothing here can be undone by the process itself.
 *
 * Every function that can fail answers 0 or the error number, unless its comment says otherwise. None allocates, none
 * keeps what it is given. Rights belong to a thread: call all of them on the first thread of a process, before it has
 * others. Works on x86-64 and aarch64; elsewhere csandbox_filter_install answers ENOSYS.
 */
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nothing that the process executes can gain rights that it lacks; also what unprivileged filters need. */
int32_t csandbox_no_new_privileges(void);

/* No core file, and no other process of the same user may attach. */
int32_t csandbox_not_dumpable(void);

/* Gives up every capability, those of root too. */
int32_t csandbox_drop_capabilities(void);

/* The resources that csandbox_limit takes. */
enum {
    CSANDBOX_ADDRESS_SPACE,
    CSANDBOX_DATA,
    CSANDBOX_DESCRIPTORS,
    CSANDBOX_PROCESSES,
    CSANDBOX_CORE,
    CSANDBOX_FILE_SIZE,
};

/* Lowers the soft and the hard limit of a resource; a limit that is lower already stays. */
int32_t csandbox_limit(int32_t resource, uint64_t value);

/* Whether this code was built with a sanitizer, whose shadow memory no limit of the address space leaves room for. */
bool csandbox_has_shadow_memory(void);

/* A file that would grow beyond its limit is refused with EFBIG, where the default is a signal that kills. */
int32_t csandbox_ignore_file_size_signal(void);

/* What a filter of system calls lets through beside what every plugin may do. */
typedef struct {
    bool local_sockets;     /* AF_UNIX, and the shared memory of System V that sound cards are mixed with */
    bool network_sockets;   /* AF_INET, AF_INET6, and AF_NETLINK's routes, which name lookups read */
    bool bluetooth_sockets; /* AF_BLUETOOTH */
    bool file_attributes;   /* owners, modes, times and attributes of files by their path */
} csandbox_filter_options;

/* Whether the kernel can filter system calls with an error as the answer. */
bool csandbox_filter_is_supported(void);

/* Puts the filter on every thread of the process; no_new_privileges has to come first. */
int32_t csandbox_filter_install(const csandbox_filter_options *_Nonnull options);

/* Landlock's rights to files, under the names of the kernel's. */
#define CSANDBOX_FS_EXECUTE 0x0001ull
#define CSANDBOX_FS_WRITE_FILE 0x0002ull
#define CSANDBOX_FS_READ_FILE 0x0004ull
#define CSANDBOX_FS_READ_DIR 0x0008ull
#define CSANDBOX_FS_REMOVE_DIR 0x0010ull
#define CSANDBOX_FS_REMOVE_FILE 0x0020ull
#define CSANDBOX_FS_MAKE_CHAR 0x0040ull
#define CSANDBOX_FS_MAKE_DIR 0x0080ull
#define CSANDBOX_FS_MAKE_REG 0x0100ull
#define CSANDBOX_FS_MAKE_SOCK 0x0200ull
#define CSANDBOX_FS_MAKE_FIFO 0x0400ull
#define CSANDBOX_FS_MAKE_BLOCK 0x0800ull
#define CSANDBOX_FS_MAKE_SYM 0x1000ull
#define CSANDBOX_FS_REFER 0x2000ull     /* from ABI 2 on */
#define CSANDBOX_FS_TRUNCATE 0x4000ull  /* from ABI 3 on */
#define CSANDBOX_FS_IOCTL_DEV 0x8000ull /* from ABI 5 on */

/* All rights of ABI 1. */
static const uint64_t CSANDBOX_FS_OF_ABI_1 = 0x1FFF;

/* What it takes to read files and folders, to change them, and to use a device that may be read. */
static const uint64_t CSANDBOX_READ = CSANDBOX_FS_READ_FILE | CSANDBOX_FS_READ_DIR;
static const uint64_t CSANDBOX_CHANGE = CSANDBOX_FS_WRITE_FILE | CSANDBOX_FS_TRUNCATE | CSANDBOX_FS_REFER
    | CSANDBOX_FS_REMOVE_DIR | CSANDBOX_FS_REMOVE_FILE | CSANDBOX_FS_MAKE_DIR | CSANDBOX_FS_MAKE_REG
    | CSANDBOX_FS_MAKE_SOCK | CSANDBOX_FS_MAKE_FIFO | CSANDBOX_FS_MAKE_SYM;
static const uint64_t CSANDBOX_DEVICE = CSANDBOX_FS_WRITE_FILE | CSANDBOX_FS_TRUNCATE | CSANDBOX_FS_IOCTL_DEV;

/* What a Landlock ruleset takes charge of; a field that the ABI does not have is to be 0. */
typedef struct {
    uint64_t files;
    uint64_t network; /* from ABI 4 on: 1 binding, 2 connecting TCP */
    uint64_t scopes;  /* from ABI 6 on: 1 abstract local sockets, 2 signals */
} csandbox_landlock_rights;

/* The version of Landlock's ABI in this kernel; 0, with the reason in `error`, when it has none. */
int32_t csandbox_landlock_abi(int32_t *_Nonnull error);

/* A ruleset that takes charge of `rights`: a descriptor, which the caller closes, or -1 with errno. */
int32_t csandbox_landlock_create(const csandbox_landlock_rights *_Nonnull rights);

/* Lets `access` through at `path` and below it. Rights that only folders have are left out for other files.
 * ENOENT and EACCES say that there is nothing to let through. */
int32_t csandbox_landlock_allow(int32_t ruleset, const char *_Nonnull path, uint64_t access);

/* Puts the calling thread, and threads that it starts from now on, under the ruleset. */
int32_t csandbox_landlock_restrict(int32_t ruleset);

#endif
