/* The video ring: one camera writes frames into slots, the host takes them, in one process or in two, without locks.
 *
 * The host allocates it, zeroed, in one block of glasses_video_ring_bytes(slot_bytes) bytes aligned to 64, and frees it only
 * after the instance that uses it was destroyed or has answered its stop. A ring that a plugin may write is hostile input to
 * the host, which therefore keeps its own copies of slot_count and slot_bytes and checks every frame (glasses_frame_is_valid).
 *
 * A slot is free, being written, ready or being read. When none is free the writer takes the oldest ready one back and counts
 * it in `dropped`: a camera never waits, and the host always gets the newest frames.
 */
#ifndef GLASSES_VIDEO_RING_H
#define GLASSES_VIDEO_RING_H

#include "base.h"
#include "frame.h"

#define GLASSES_VIDEO_SLOTS 8u          /* 267 ms at 30 frames a second */

typedef uint32_t glasses_slot_state;
enum {
    GLASSES_SLOT_FREE = 0,
    GLASSES_SLOT_WRITING = 1,
    GLASSES_SLOT_READY = 2,
    GLASSES_SLOT_READING = 3
};

typedef struct GLASSES_SENDABLE glasses_video_slot {
    glasses_slot_state state; /* atomic */
    uint32_t reserved;
    int64_t order; /* atomic; grows with each frame, so that the oldest is known */
    glasses_frame frame;
} glasses_video_slot;

typedef struct GLASSES_SENDABLE glasses_video_ring {
    uint32_t size;       /* sizeof(glasses_video_ring) of the host */
    uint32_t slot_count; /* GLASSES_VIDEO_SLOTS; set by the host, constant */
    uint32_t slot_bytes; /* a multiple of 64; set by the host, constant */
    int32_t wake_fd;     /* eventfd that the plugin signals after each frame; owned by the host */
    int64_t written;     /* atomic; frames stored so far */
    int64_t dropped;     /* atomic; frames taken back before the host had them, or not stored for want of a slot */
    uint64_t reserved[4];
    glasses_video_slot slots[GLASSES_VIDEO_SLOTS];
    /* slot_count * slot_bytes bytes follow at glasses_video_ring_data_offset() */
} glasses_video_ring;

/* Where the first slot's bytes begin: after the header, aligned to a cache line. */
static inline size_t glasses_video_ring_data_offset(void) { return (sizeof(glasses_video_ring) + 63u) & ~(size_t)63u; }

/* The bytes that a ring with slots of that size takes. */
static inline size_t glasses_video_ring_bytes(uint32_t slot_bytes) {
    return glasses_video_ring_data_offset() + (size_t)GLASSES_VIDEO_SLOTS * slot_bytes;
}

/* The bytes of slot `index`, which must be below GLASSES_VIDEO_SLOTS; slot_bytes is the caller's own copy. */
static inline uint8_t *GLASSES_NONNULL glasses_video_ring_data(
    glasses_video_ring *GLASSES_NONNULL ring, uint32_t slot_bytes, uint32_t index) {
    return (uint8_t *)(void *)ring + glasses_video_ring_data_offset() + (size_t)index * slot_bytes;
}

static inline int32_t glasses_video_slot_change(
    glasses_video_slot *GLASSES_NONNULL slot, glasses_slot_state from, glasses_slot_state to) {
    return __atomic_compare_exchange_n(&slot->state, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* The ready slot with the oldest frame, or -1. */
static inline int32_t glasses_video_ring_oldest(const glasses_video_ring *GLASSES_NONNULL ring) {
    int32_t oldest = -1;
    int64_t least = INT64_MAX;
    for (uint32_t index = 0; index < GLASSES_VIDEO_SLOTS; index++) {
        const glasses_video_slot *slot = &ring->slots[index];
        if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) != GLASSES_SLOT_READY) continue;
        int64_t order = __atomic_load_n(&slot->order, __ATOMIC_ACQUIRE);
        if (oldest >= 0 && order >= least) continue;
        least = order;
        oldest = (int32_t)index;
    }
    return oldest;
}

/* Takes a slot to write a frame into, and returns its index; -1 when the host is reading every slot: then the frame is
 * lost, and counted. The one writer, a camera's own thread. */
static inline int32_t glasses_video_ring_begin(glasses_video_ring *GLASSES_NONNULL ring) {
    for (uint32_t index = 0; index < GLASSES_VIDEO_SLOTS; index++) {
        if (glasses_video_slot_change(&ring->slots[index], GLASSES_SLOT_FREE, GLASSES_SLOT_WRITING)) return (int32_t)index;
    }
    for (uint32_t attempt = 0; attempt < GLASSES_VIDEO_SLOTS; attempt++) {
        int32_t oldest = glasses_video_ring_oldest(ring);
        if (oldest < 0) break;
        if (!glasses_video_slot_change(&ring->slots[oldest], GLASSES_SLOT_READY, GLASSES_SLOT_WRITING)) continue;
        __atomic_fetch_add(&ring->dropped, 1, __ATOMIC_RELAXED);
        return oldest;
    }
    __atomic_fetch_add(&ring->dropped, 1, __ATOMIC_RELAXED);
    return -1;
}

/* Hands over the frame in a slot that was begun; signal wake_fd afterwards. */
static inline void glasses_video_ring_commit(
    glasses_video_ring *GLASSES_NONNULL ring, uint32_t index, const glasses_frame *GLASSES_NONNULL frame) {
    glasses_video_slot *slot = &ring->slots[index];
    slot->frame = *frame;
    int64_t order = __atomic_add_fetch(&ring->written, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&slot->order, order, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->state, GLASSES_SLOT_READY, __ATOMIC_RELEASE);
}

/* Gives a slot that was begun back without a frame, which is not counted. */
static inline void glasses_video_ring_abandon(glasses_video_ring *GLASSES_NONNULL ring, uint32_t index) {
    __atomic_store_n(&ring->slots[index].state, GLASSES_SLOT_FREE, __ATOMIC_RELEASE);
}

/* Takes the oldest ready frame, copies what it says of itself once, and returns its slot; -1 when none is ready. The one
 * reader, the host, then checks *frame, reads the slot's bytes and releases it. */
static inline int32_t glasses_video_ring_take(
    glasses_video_ring *GLASSES_NONNULL ring, glasses_frame *GLASSES_NONNULL frame) {
    for (uint32_t attempt = 0; attempt < GLASSES_VIDEO_SLOTS; attempt++) {
        int32_t oldest = glasses_video_ring_oldest(ring);
        if (oldest < 0) return -1;
        if (!glasses_video_slot_change(&ring->slots[oldest], GLASSES_SLOT_READY, GLASSES_SLOT_READING)) continue;
        *frame = ring->slots[oldest].frame;
        return oldest;
    }
    return -1;
}

/* Gives a slot that was taken back to the writer. */
static inline void glasses_video_ring_release(glasses_video_ring *GLASSES_NONNULL ring, uint32_t index) {
    (void)glasses_video_slot_change(&ring->slots[index], GLASSES_SLOT_READING, GLASSES_SLOT_FREE);
}

#endif
