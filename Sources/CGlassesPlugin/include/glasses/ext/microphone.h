/* Transport extension: a microphone.
 *
 * While started, the plugin's [audio] thread writes mono 16-bit PCM at the "microphoneRate" of describe into the ring, in
 * blocks of 10 to 40 ms, each with the CLOCK_MONOTONIC time of its first frame, and signals wake_fd after each block.
 * A full ring (the host keeps 2 s) loses the new block, which is added to `dropped`. A device that goes away is reported
 * by on_event and reopened by the plugin; the stream then goes on after a gap that the times show.
 */
#ifndef GLASSES_EXT_MICROPHONE_H
#define GLASSES_EXT_MICROPHONE_H

#include "../base.h"
#include "../ring.h"

#define GLASSES_EXT_MICROPHONE "glasses.microphone/1"

typedef struct GLASSES_SENDABLE glasses_microphone {
    uint32_t size;
    uint32_t reserved;

    /* Begins capture into ring, which stays the host's. on_completed comes when samples flow (or cannot, within 2 s).
     * STATE unless connected and not started. [host] */
    glasses_result (*GLASSES_NONNULL start)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, glasses_ring *GLASSES_NONNULL ring);

    /* Ends capture and releases the device. After on_completed the plugin does not touch the ring again. [host] */
    glasses_result (*GLASSES_NONNULL stop)(void *GLASSES_NULLABLE instance, glasses_request_id request);
} glasses_microphone;

#endif
