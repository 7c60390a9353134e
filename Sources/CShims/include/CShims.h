/* GNU-only calls that Swift's Glibc module does not import, each with a fixed signature.
 *
 * Calls that can fail answer -1 and set errno, or answer the error number where the comment says so.
 */
#ifndef CSHIMS_H
#define CSHIMS_H

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h> /* for the loops of GlassesNet and GlassesServer, which import it from here */
#include <sys/types.h>

/* A non-blocking, close-on-exec eventfd with count 0. The caller closes it. */
int32_t cshims_eventfd(void);

/* Adds one to an eventfd. Never blocks: a counter that is full already wakes its reader. [any], also [audio] */
void cshims_eventfd_signal(int32_t fd);

/* Sets an eventfd back to 0 and returns what it counted; 0 when it was not signalled. Never blocks. [any] */
uint64_t cshims_eventfd_drain(int32_t fd);

/* A descriptor that becomes readable when the process ends; close-on-exec. The caller closes it. */
int32_t cshims_pidfd_open(pid_t pid);

/* A close-on-exec pipe. The caller closes both ends. */
int32_t cshims_pipe(int32_t *_Nonnull read_end, int32_t *_Nonnull write_end);

/* Makes the spawned process close every descriptor from `first` on; answers 0 or the error number. */
int32_t cshims_spawn_close_from(posix_spawn_file_actions_t *_Nonnull actions, int32_t first);

/* Names the calling thread for debuggers and profilers; names over 15 bytes are cut. */
void cshims_name_thread(const char *_Nonnull name);

/* A connected pair of non-blocking, close-on-exec SOCK_SEQPACKET sockets. The caller closes both. */
int32_t cshims_socket_pair(int32_t *_Nonnull first, int32_t *_Nonnull second);

/* The longest list of descriptors that one message carries. */
#define CSHIMS_DESCRIPTORS_MAX 4

/* Sends one message with up to CSHIMS_DESCRIPTORS_MAX descriptors, which stay the caller's. Never blocks and never raises
 * SIGPIPE: EAGAIN when the socket is full. Answers the bytes sent. [any] */
ptrdiff_t cshims_send_message(
    int32_t fd, const void *_Nonnull bytes, size_t count, const int32_t *_Nullable descriptors, size_t descriptor_count);

/* Receives one message and its descriptors, which are close-on-exec and the caller's. Never blocks: EAGAIN when there is none.
 * Answers its bytes, 0 at the end of the connection; a message that does not fit, or has too many descriptors, answers
 * EMSGSIZE after its descriptors were closed. [any] */
ptrdiff_t cshims_receive_message(
    int32_t fd, void *_Nonnull bytes, size_t capacity, int32_t descriptors[_Nonnull CSHIMS_DESCRIPTORS_MAX],
    size_t *_Nonnull descriptor_count);

/* Anonymous shared memory that can be sealed; close-on-exec. The caller closes it. */
int32_t cshims_memory_file(const char *_Nonnull name);

/* Forbids every later change of the memory's size, of its content too if `is_constant`, and of its seals. */
int32_t cshims_seal(int32_t fd, int32_t is_constant);

/* Whether nobody can change the memory's size, and its content if `is_constant`; 0 for anything that is no such memory. */
int32_t cshims_is_sealed(int32_t fd, int32_t is_constant);

/* Makes the calling process get SIGKILL when the thread ends that started it. */
int32_t cshims_die_with_parent(void);

/* Keeps the process from leaving core dumps and from being attached to by other processes of its user. [any] */
void cshims_forbid_dumps(void);

/* The offset of the first `wanted` in `bytes`, or -1. Reads nothing beyond the given lengths. [any] */
ptrdiff_t cshims_find(const void *_Nullable bytes, size_t count, const void *_Nullable wanted, size_t wanted_count);

/* Takes `protection` (PROT_NONE or PROT_READ) as the only access to a page-aligned range, and notes which threads touch it
 * all the same: the first touch is noted, the access is given back, and the touch goes on as if nothing had been. One range
 * of a process at a time; it replaces the handler of SIGSEGV until the process ends. 0, or -1 with errno. */
int32_t cshims_watch_begin(void *_Nonnull start, size_t length, int32_t protection);

/* Copies the thread ids of the touches so far, at most `capacity`, and returns how many there were. [any] */
int32_t cshims_watch_touches(pid_t *_Nonnull threads, int32_t capacity);

/* Gives the watched range all access back; later touches are not noted. */
void cshims_watch_end(void);

/* The calling thread's id in the kernel. [any] */
pid_t cshims_thread_id(void);

#endif
