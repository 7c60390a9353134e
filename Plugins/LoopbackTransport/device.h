/* The virtual device: a loudspeaker and a microphone that share one clock, paced in real time by one [audio] thread.
 *
 * The clock counts frames since the first stream began, from CLOCK_MONOTONIC, so it never drifts. The loudspeaker takes
 * frames from its ring into a buffer of the configured latency and plays them one by one; the microphone hears silence,
 * or what the loudspeaker plays.
 */
#ifndef LOOPBACK_DEVICE_H
#define LOOPBACK_DEVICE_H

#include "settings.h"
#include <CGlassesPlugin.h>
#include <pthread.h>

typedef struct device {
    settings settings;
    uint32_t period; /* frames in 10 ms: how often the thread wakes, and the microphone's block */

    /* Changed by the control thread only while no [audio] thread runs: */
    glasses_ring *microphone;
    glasses_ring *speaker;
    pthread_t thread;
    int32_t is_running;

    int32_t timer_fd; /* fires every period */
    int32_t stop_fd;  /* eventfd that ends the thread */

    /* Left by flush [any], taken by the [audio] thread: */
    pthread_mutex_t flush_lock; /* among the callers of flush only */
    int64_t flush_upto;         /* atomic */
    uint64_t flush_id;          /* atomic; written last */
    uint64_t flushed_id;        /* the [audio] thread's */

    /* The [audio] thread's: */
    int64_t start_ns;        /* when frame 0 of the device clock was */
    int64_t elapsed;         /* frames of the device clock that are over */
    int16_t *buffer;         /* the loudspeaker's buffer, a ring of `latency` frames */
    uint32_t latency;        /* its capacity in frames */
    uint32_t buffered;       /* frames in it */
    uint32_t buffer_start;   /* the frame that is played next */
    int64_t played;          /* position of that frame in the written stream */
    glasses_playback playback; /* what was published last */
    int16_t *heard;          /* one block that the microphone is collecting */
    uint32_t heard_count;
} device;

/* Prepares the device; -1 when memory or descriptors are used up. */
int32_t device_init(device *d, const settings *chosen);

/* Sets the rings of the two streams, null for none, and returns when the [audio] thread works with exactly these. Takes
 * less than two periods. -1 when the thread could not be started, then no stream runs. */
int32_t device_set_streams(device *d, glasses_ring *microphone, glasses_ring *speaker);

/* Asks for a cut; the ring tells when it was made. [any] */
void device_flush(device *d, uint64_t flush, int64_t upto);

/* Ends the thread and frees everything. */
void device_free(device *d);

#endif
