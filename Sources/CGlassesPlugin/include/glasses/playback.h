/* What a speaker's ring tells beside the samples: which frame is leaving the loudspeaker, and where a flush cut. */
#ifndef GLASSES_PLAYBACK_H
#define GLASSES_PLAYBACK_H

#include "ring.h"

/* What a speaker reports; the fields as in glasses_ring. */
typedef struct GLASSES_SENDABLE glasses_playback {
    int64_t played_position;
    int64_t played_t_ns;
    uint64_t flush_id;
    int64_t flushed_position;
    int64_t flushed_t_ns;
    uint32_t is_advancing;
    uint32_t reserved;
} glasses_playback;

/* Leaves out everything before `position` that was not read yet. The reader only. */
static inline void glasses_ring_skip(glasses_ring *GLASSES_NONNULL ring, int64_t position) {
    int64_t end = glasses_ring_load(&ring->write_position);
    int64_t now = glasses_ring_load(&ring->read_position);
    int64_t target = position < end ? position : end;
    if (target > now) __atomic_store_n(&ring->read_position, target, __ATOMIC_RELEASE);
}

/* Publishes what a speaker plays. The speaker's [audio] thread only. */
static inline void glasses_ring_publish(
    glasses_ring *GLASSES_NONNULL ring, const glasses_playback *GLASSES_NONNULL playback) {
    uint32_t sequence = __atomic_load_n(&ring->sequence, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->sequence, sequence + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->is_advancing, playback->is_advancing, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->played_position, playback->played_position, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->played_t_ns, playback->played_t_ns, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->flush_id, playback->flush_id, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->flushed_position, playback->flushed_position, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->flushed_t_ns, playback->flushed_t_ns, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->sequence, sequence + 2, __ATOMIC_RELEASE);
}

/* Reads what the speaker plays; 0 when the plugin was writing in eight attempts, then *playback is unchanged. [any] */
static inline int32_t glasses_ring_playback(
    const glasses_ring *GLASSES_NONNULL ring, glasses_playback *GLASSES_NONNULL playback) {
    for (int32_t attempt = 0; attempt < 8; attempt++) {
        uint32_t before = __atomic_load_n(&ring->sequence, __ATOMIC_ACQUIRE);
        if (before & 1u) continue;
        glasses_playback copy;
        copy.reserved = 0;
        copy.is_advancing = __atomic_load_n(&ring->is_advancing, __ATOMIC_ACQUIRE);
        copy.played_position = __atomic_load_n(&ring->played_position, __ATOMIC_ACQUIRE);
        copy.played_t_ns = __atomic_load_n(&ring->played_t_ns, __ATOMIC_ACQUIRE);
        copy.flush_id = __atomic_load_n(&ring->flush_id, __ATOMIC_ACQUIRE);
        copy.flushed_position = __atomic_load_n(&ring->flushed_position, __ATOMIC_ACQUIRE);
        copy.flushed_t_ns = __atomic_load_n(&ring->flushed_t_ns, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&ring->sequence, __ATOMIC_ACQUIRE) == before) {
            *playback = copy;
            return 1;
        }
    }
    return 0;
}

#endif
