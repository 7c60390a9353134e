/* The calls of the C library that lead to the stand-in's nodes; all others go on to the library. */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* or open and mmap would be other names for open64 and mmap64 */
#include "v4l2_stand_in.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

static camera cameras[CAMERAS_MAX];
static int camera_count;
/* Recursive, since what the camera does under it opens and closes descriptors of its own. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

__attribute__((constructor)) static void begin(void) {
    const char *script = getenv("V4L2_STAND_IN");
    if (!script) return;
    camera_count = script_read(script, cameras);
    if (camera_count >= 0) return;
    fprintf(stderr, "V4L2_STAND_IN is no script: %s\n", script);
    abort();
}

static camera *at_path(const char *path) {
    char name[32];
    for (int i = 0; path && i < camera_count; i++) {
        snprintf(name, sizeof name, "/dev/video%d", cameras[i].node);
        if (strcmp(name, path) == 0) return &cameras[i];
    }
    return NULL;
}

static camera *at_fd(int fd) {
    for (int i = 0; fd >= 0 && i < camera_count; i++)
        if (cameras[i].fd == fd) return &cameras[i];
    return NULL;
}

static int fail(int error) {
    errno = error;
    return -1;
}

static int open_camera(camera *c) {
    pthread_mutex_lock(&lock);
    int error = !camera_is_there(c) ? ENOENT : c->refuses ? EACCES : c->fd >= 0 ? EBUSY : 0;
    if (error == 0) c->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (error == 0 && c->fd < 0) error = errno;
    int fd = c->fd;
    pthread_mutex_unlock(&lock);
    return error ? fail(error) : fd;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                            \
    int name(const char *path, int flags, ...) {              \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode_t mode = va_arg(rest, mode_t);                   \
        va_end(rest);                                         \
        camera *c = at_path(path);                            \
        return c ? open_camera(c) : REAL(name)(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                          \
    int name(int folder, const char *path, int flags, ...) {  \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode_t mode = va_arg(rest, mode_t);                   \
        va_end(rest);                                         \
        camera *c = at_path(path);                            \
        return c ? open_camera(c) : REAL(name)(folder, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    pthread_mutex_lock(&lock);
    camera *c = at_fd(fd);
    int hangs = c && ((c->hangs && request == VIDIOC_S_FMT) || (c->is_mute && request == VIDIOC_QUERYCAP));
    pthread_mutex_unlock(&lock);
    if (hangs) sleep(30);
    pthread_mutex_lock(&lock);
    int error = c ? camera_ioctl(c, request, argument) : 0;
    pthread_mutex_unlock(&lock);
    if (!c) return REAL(ioctl)(fd, request, argument);
    return error ? fail(error) : 0;
}

/* The descriptor whose memory a mapping of `fd` means. */
static int memory_of(int fd) {
    pthread_mutex_lock(&lock);
    camera *c = at_fd(fd);
    int memory = c ? c->memory : fd;
    pthread_mutex_unlock(&lock);
    return memory;
}

void *mmap(void *start, size_t length, int access, int flags, int fd, off_t offset) {
    return REAL(mmap)(start, length, access, flags, fd >= 0 && camera_count > 0 ? memory_of(fd) : fd, offset);
}

void *mmap64(void *start, size_t length, int access, int flags, int fd, off64_t offset) {
    return REAL(mmap64)(start, length, access, flags, fd >= 0 && camera_count > 0 ? memory_of(fd) : fd, offset);
}

int close(int fd) {
    pthread_mutex_lock(&lock);
    camera *c = at_fd(fd);
    if (c) {
        c->fd = -1;
        camera_close(c);
    }
    pthread_mutex_unlock(&lock);
    return REAL(close)(fd);
}

static int is_there(camera *c) {
    pthread_mutex_lock(&lock);
    int is_there = camera_is_there(c);
    pthread_mutex_unlock(&lock);
    return is_there;
}

#define STAT(name, type)                                              \
    int name(const char *restrict path, struct type *restrict facts) { \
        camera *c = at_path(path);                                    \
        if (!c) return REAL(name)(path, facts);                       \
        if (!is_there(c)) return fail(ENOENT);                        \
        memset(facts, 0, sizeof *facts);                              \
        facts->st_mode = S_IFCHR | 0660;                              \
        return 0;                                                     \
    }
STAT(stat, stat)
STAT(stat64, stat64)

int access(const char *path, int mode) {
    camera *c = at_path(path);
    if (!c) return REAL(access)(path, mode);
    if (!is_there(c)) return fail(ENOENT);
    return c->refuses ? fail(EACCES) : 0;
}
