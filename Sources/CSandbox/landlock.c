#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By number, and with structs of our own: the headers of a distribution are often older than its kernel. The numbers
 * are the same on every architecture. */
#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define GET_VERSION 1u
#define PATH_BENEATH 1

/* All rights that a file which is no folder can have. */
static const uint64_t FILE_RIGHTS = CSANDBOX_FS_EXECUTE | CSANDBOX_FS_WRITE_FILE | CSANDBOX_FS_READ_FILE
    | CSANDBOX_FS_TRUNCATE | CSANDBOX_FS_IOCTL_DEV;

struct path_beneath {
    uint64_t allowed_access;
    int32_t parent;
} __attribute__((packed));

int32_t csandbox_landlock_abi(int32_t *error) {
    long version = syscall(CREATE_RULESET, NULL, 0, GET_VERSION);
    *error = version < 0 ? errno : 0;
    return version < 0 ? 0 : (int32_t)version;
}

int32_t csandbox_landlock_create(const csandbox_landlock_rights *rights) {
    /* A kernel refuses a longer struct than its own, unless the rest is zero; the shortest that says all suits every one. */
    size_t size = rights->scopes != 0 ? 24 : rights->network != 0 ? 16 : 8;
    /* The kernel makes the descriptor close-on-exec. */
    return (int32_t)syscall(CREATE_RULESET, rights, size, 0);
}

int32_t csandbox_landlock_allow(int32_t ruleset, const char *path, uint64_t access) {
    struct stat facts;
    int parent = open(path, O_PATH | O_CLOEXEC);
    if (parent < 0) return errno;
    int32_t result = 0;
    if (fstat(parent, &facts) != 0) {
        result = errno;
    } else {
        struct path_beneath rule = {
            .allowed_access = S_ISDIR(facts.st_mode) ? access : access & FILE_RIGHTS, .parent = parent};
        if (rule.allowed_access != 0 && syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) != 0) result = errno;
    }
    close(parent);
    return result;
}

int32_t csandbox_landlock_restrict(int32_t ruleset) {
    return syscall(RESTRICT_SELF, ruleset, 0) == 0 ? 0 : errno;
}
