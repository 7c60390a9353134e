/* The audio ring: one writer and one reader, in one process or in two, without locks.
 *
 * The host allocates it, zeroed, in one block of glasses_ring_bytes(capacity) bytes aligned to 64, and frees it only
 * after the instance that uses it was destroyed or has answered its stop. All PCM is mono signed 16-bit. A ring that a
 * plugin may write is hostile input to the host, which therefore keeps its own copy of `capacity`.
 *
 * Positions count frames since the ring was made and never wrap in practice (2^63 frames).
 * Every PCM block carries the CLOCK_MONOTONIC time of its first frame in a second ring of marks.
 */
#ifndef GLASSES_RING_H
#define GLASSES_RING_H

#include "base.h"
#include <string.h>

#define GLASSES_RING_MARKS 256u /* 2.5 s of 10 ms blocks: more than a microphone ring holds */

/* The capture (or due) time of one frame of the stream. */
typedef struct glasses_ring_mark {
    int64_t frame; /* the position of the block's first frame */
    int64_t t_ns;  /* CLOCK_MONOTONIC at the device */
} glasses_ring_mark;

typedef struct GLASSES_SENDABLE glasses_ring {
    uint32_t size;        /* sizeof(glasses_ring) of the host */
    uint32_t capacity;    /* frames; set by the host, constant */
    uint32_t sample_rate; /* frames per second; set by the host from the plugin's facts, constant */
    int32_t wake_fd;      /* eventfd that the plugin signals after it wrote or read; owned by the host */
    int32_t kick_fd;      /* eventfd that the host signals after it wrote, or flushed; owned by the host */
    int32_t reserved;

    int64_t write_position; /* atomic; frames written so far */
    int64_t read_position;  /* atomic; frames taken so far */
    int64_t dropped;        /* atomic; frames that a microphone could not store because the ring was full */
    int64_t xruns;          /* atomic; times that the device ran over or dry */

    /* Speakers only, written by the plugin under sequence (odd while it writes), see playback.h: */
    uint32_t sequence;         /* atomic */
    uint32_t is_advancing;     /* 1 while the device plays, so that the host may extrapolate */
    int64_t played_position;   /* the frame that is leaving the loudspeaker */
    int64_t played_t_ns;       /* when that was */
    uint64_t flush_id;         /* the last flush that was carried out */
    int64_t flushed_position;  /* the frame that was leaving the loudspeaker when that flush cut it */
    int64_t flushed_t_ns;      /* when that was */

    int64_t mark_count; /* atomic; marks written so far; the newest GLASSES_RING_MARKS are kept */
    glasses_ring_mark marks[GLASSES_RING_MARKS];
    /* int16_t samples[capacity] follow */
} glasses_ring;

/* The bytes that a ring of that many frames takes. */
static inline size_t glasses_ring_bytes(uint32_t capacity) {
    return sizeof(glasses_ring) + (size_t)capacity * sizeof(int16_t);
}

static inline int16_t *GLASSES_NONNULL glasses_ring_samples(glasses_ring *GLASSES_NONNULL ring) {
    return (int16_t *)(void *)(ring + 1);
}

static inline int64_t glasses_ring_load(const int64_t *GLASSES_NONNULL value) {
    return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static inline void glasses_ring_add(int64_t *GLASSES_NONNULL value, int64_t count) {
    __atomic_fetch_add(value, count, __ATOMIC_RELAXED);
}

/* Positions may come from a hostile peer, so sums are made where overflow is defined. */
static inline void glasses_ring_advance(int64_t *GLASSES_NONNULL value, int64_t position, uint32_t count) {
    __atomic_store_n(value, (int64_t)((uint64_t)position + count), __ATOMIC_RELEASE);
}

/* Frames that can be read now, never more than capacity, whatever the other side wrote into the header. [any] */
static inline uint32_t glasses_ring_readable(const glasses_ring *GLASSES_NONNULL ring, uint32_t capacity) {
    uint64_t written = (uint64_t)glasses_ring_load(&ring->write_position);
    int64_t count = (int64_t)(written - (uint64_t)glasses_ring_load(&ring->read_position));
    if (count < 0) return 0;
    return count > (int64_t)capacity ? capacity : (uint32_t)count;
}

/* Frames that can be written now. [any] */
static inline uint32_t glasses_ring_writable(const glasses_ring *GLASSES_NONNULL ring, uint32_t capacity) {
    return capacity - glasses_ring_readable(ring, capacity);
}

/* Notes the time of the frame at position. The writer only, before it advances write_position. */
static inline void glasses_ring_put_mark(glasses_ring *GLASSES_NONNULL ring, int64_t position, int64_t t_ns) {
    int64_t count = glasses_ring_load(&ring->mark_count);
    glasses_ring_mark *mark = &ring->marks[(uint64_t)count % GLASSES_RING_MARKS];
    __atomic_store_n(&mark->frame, position, __ATOMIC_RELEASE);
    __atomic_store_n(&mark->t_ns, t_ns, __ATOMIC_RELEASE);
    glasses_ring_advance(&ring->mark_count, count, 1);
}

/* Reads mark number index; 0 when it was overwritten or not yet written, then *mark is undefined. [any] */
static inline int32_t glasses_ring_get_mark(
    const glasses_ring *GLASSES_NONNULL ring, int64_t index, glasses_ring_mark *GLASSES_NONNULL mark) {
    const glasses_ring_mark *slot = &ring->marks[(uint64_t)index % GLASSES_RING_MARKS];
    uint64_t age = (uint64_t)glasses_ring_load(&ring->mark_count) - (uint64_t)index;
    if (index < 0 || age == 0 || age >= GLASSES_RING_MARKS) return 0;
    mark->frame = __atomic_load_n(&slot->frame, __ATOMIC_ACQUIRE);
    mark->t_ns = __atomic_load_n(&slot->t_ns, __ATOMIC_ACQUIRE);
    return (uint64_t)glasses_ring_load(&ring->mark_count) - (uint64_t)index < GLASSES_RING_MARKS;
}

/* Writes as many of count frames as fit and returns how many. t_ns, unless 0, is the time of the first one.
 * One writer: a microphone's [audio] thread, or the host for a speaker. */
static inline uint32_t glasses_ring_write(
    glasses_ring *GLASSES_NONNULL ring, uint32_t capacity, const int16_t *GLASSES_NONNULL samples, uint32_t count,
    int64_t t_ns) {
    uint32_t room = glasses_ring_writable(ring, capacity);
    uint32_t taken = count < room ? count : room;
    if (taken == 0 || capacity == 0) return 0;
    int64_t position = glasses_ring_load(&ring->write_position);
    uint32_t start = (uint32_t)((uint64_t)position % capacity);
    uint32_t first = taken < capacity - start ? taken : capacity - start;
    int16_t *target = glasses_ring_samples(ring);
    memcpy(target + start, samples, first * sizeof(int16_t));
    memcpy(target, samples + first, (taken - first) * sizeof(int16_t));
    if (t_ns != 0) glasses_ring_put_mark(ring, position, t_ns);
    glasses_ring_advance(&ring->write_position, position, taken);
    return taken;
}

/* Reads up to count frames and returns how many. One reader: the host's thread, or a speaker's [audio] thread. */
static inline uint32_t glasses_ring_read(
    glasses_ring *GLASSES_NONNULL ring, uint32_t capacity, int16_t *GLASSES_NONNULL samples, uint32_t count) {
    uint32_t ready = glasses_ring_readable(ring, capacity);
    uint32_t taken = count < ready ? count : ready;
    if (taken == 0 || capacity == 0) return 0;
    int64_t position = glasses_ring_load(&ring->read_position);
    uint32_t start = (uint32_t)((uint64_t)position % capacity);
    uint32_t first = taken < capacity - start ? taken : capacity - start;
    const int16_t *source = glasses_ring_samples(ring);
    memcpy(samples, source + start, first * sizeof(int16_t));
    memcpy(samples + first, source, (taken - first) * sizeof(int16_t));
    glasses_ring_advance(&ring->read_position, position, taken);
    return taken;
}

#endif
