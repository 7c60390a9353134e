/* Transport extension: a loudspeaker.
 *
 * The host writes mono 16-bit PCM at the "speakerRate" of describe into the ring and signals kick_fd; the plugin's [audio]
 * thread reads it, plays silence while the ring is empty (silence counts for no position), and publishes each period
 * which frame is leaving the loudspeaker (glasses_ring_publish) and signals wake_fd. The ring never drops. Frames that a
 * flush cut count as passed: after it played_position is at least `upto`.
 */
#ifndef GLASSES_EXT_SPEAKER_H
#define GLASSES_EXT_SPEAKER_H

#include "../base.h"
#include "../playback.h"
#include "../ring.h"

#define GLASSES_EXT_SPEAKER "glasses.speaker/1"

typedef struct GLASSES_SENDABLE glasses_speaker {
    uint32_t size;
    uint32_t reserved;

    /* Opens the output on ring, which stays the host's. on_completed comes when it plays (or cannot, within 2 s).
     * STATE unless connected and not started. [host] */
    glasses_result (*GLASSES_NONNULL start)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, glasses_ring *GLASSES_NONNULL ring);

    /* Cuts everything before frame `upto` of the ring: it overtakes what was written before. The [audio] thread notices
     * within a period, reads the device's delay, drops the device's buffer, skips the ring to upto, and publishes flush_id =
     * flush with the position that was leaving the loudspeaker before the cut. There is no on_completed: the ring tells.
     * A later flush replaces an earlier one that was not carried out. [any] */
    glasses_result (*GLASSES_NONNULL flush)(void *GLASSES_NULLABLE instance, uint64_t flush, int64_t upto);

    /* Closes the output. After on_completed the plugin does not touch the ring again. [host] */
    glasses_result (*GLASSES_NONNULL stop)(void *GLASSES_NULLABLE instance, glasses_request_id request);
} glasses_speaker;

#endif
