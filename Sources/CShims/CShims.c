#include "CShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signal.h>
#include <sys/socket.h>
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

int32_t cshims_socket_pair(int32_t *first, int32_t *second) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -1;
    *first = ends[0];
    *second = ends[1];
    return 0;
}

/* Room for the descriptors of one message, aligned as the kernel wants it. */
typedef union control_room {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int32_t) * CSHIMS_DESCRIPTORS_MAX)];
} control_room;

ptrdiff_t cshims_send_message(
    int32_t fd, const void *bytes, size_t count, const int32_t *descriptors, size_t descriptor_count) {
    if (descriptor_count > CSHIMS_DESCRIPTORS_MAX) {
        errno = EMSGSIZE;
        return -1;
    }
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    control_room control = {.bytes = {0}};
    if (descriptor_count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int32_t) * descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int32_t) * descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int32_t) * descriptor_count);
    }
    ssize_t sent;
    do {
        sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

/* Takes the descriptors out of a received message; those that do not fit are closed and make it answer -1. */
static int32_t take_descriptors(struct msghdr *message, int32_t *descriptors, size_t *count) {
    int32_t result = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t carried = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int32_t);
        for (size_t index = 0; index < carried; index++) {
            int32_t descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof descriptor, sizeof descriptor);
            if (*count < CSHIMS_DESCRIPTORS_MAX) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
                result = -1;
            }
        }
    }
    return result;
}

ptrdiff_t cshims_receive_message(
    int32_t fd, void *bytes, size_t capacity, int32_t descriptors[CSHIMS_DESCRIPTORS_MAX], size_t *descriptor_count) {
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    control_room control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *descriptor_count = 0;
    ssize_t received;
    do {
        received = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) return -1;
    int32_t fits = take_descriptors(&message, descriptors, descriptor_count);
    if (fits == 0 && (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) return received;
    for (size_t index = 0; index < *descriptor_count; index++) close(descriptors[index]);
    *descriptor_count = 0;
    errno = EMSGSIZE;
    return -1;
}

int32_t cshims_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

static int32_t seals(int32_t is_constant) {
    return F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (is_constant ? F_SEAL_WRITE : 0);
}

int32_t cshims_seal(int32_t fd, int32_t is_constant) { return fcntl(fd, F_ADD_SEALS, seals(is_constant)); }

int32_t cshims_is_sealed(int32_t fd, int32_t is_constant) {
    int32_t wanted = seals(is_constant) & ~F_SEAL_SEAL;
    int32_t present = fcntl(fd, F_GET_SEALS);
    return present >= 0 && (present & wanted) == wanted;
}

int32_t cshims_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

void cshims_forbid_dumps(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

ptrdiff_t cshims_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    if (bytes == NULL || wanted == NULL) { return -1; }
    const char *found = memmem(bytes, count, wanted, wanted_count);
    return found == NULL ? -1 : found - (const char *)bytes;
}
