/* What the device and the camera share: the clock, and the descriptors that wake their threads. */
#ifndef LOOPBACK_DESCRIPTORS_H
#define LOOPBACK_DESCRIPTORS_H

#include <errno.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* CLOCK_MONOTONIC in nanoseconds. */
static inline int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Wakes whoever polls an eventfd. */
static inline void signal_fd(int32_t fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

/* Sets an eventfd or a timer back. */
static inline void drain_fd(int32_t fd) {
    uint64_t count;
    while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {
    }
}

#endif
