/* Transport extension: a camera.
 *
 * describe adds "camera": {"formats": [{"format": "i420" | "nv12" | "yuyv" | "jpeg", "width", "height", "frameRates": [...]}],
 * "photo"?: {"format": "jpeg" | "heic", "width", "height"}}; without "photo" the host takes a still from the stream.
 *
 * While started, a thread of the plugin's own writes frames into the ring, at most "frameRate" a second, and signals wake_fd
 * after each. A stream that pauses or ends by itself is told by on_stream; frames then stop, and come again after "streaming".
 */
#ifndef GLASSES_EXT_CAMERA_H
#define GLASSES_EXT_CAMERA_H

#include "../base.h"
#include "../video_ring.h"

#define GLASSES_EXT_CAMERA "glasses.camera/1"

/* The longest photo, in bytes: a 50-megapixel JPEG of the highest quality. */
#define GLASSES_PHOTO_MAX (64u << 20)

/* The host's side of one camera; as glasses_transport_host. */
typedef struct GLASSES_SENDABLE glasses_camera_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* The picture of a take_photo, before its on_completed with OK. data is valid during the call only. facts is
     * {"format": "jpeg" | "heic", "width", "height", "rotation"?: 0 | 90 | 180 | 270, "takenNs"?: CLOCK_MONOTONIC}. [any] */
    void (*GLASSES_NONNULL on_photo)(
        void *GLASSES_NULLABLE ctx, glasses_request_id request, const uint8_t *GLASSES_NONNULL data, size_t length,
        const char *GLASSES_NONNULL facts);

    /* The stream changed by itself: {"state": "paused" | "streaming" | "stopped", "code"?, "message"?}. After "stopped" the
     * plugin does not touch the ring again, and start may be called again. [any] */
    void (*GLASSES_NONNULL on_stream)(void *GLASSES_NULLABLE ctx, const char *GLASSES_NONNULL state);
} glasses_camera_host;

typedef struct GLASSES_SENDABLE glasses_camera {
    uint32_t size;
    uint32_t reserved;

    /* Gives the host's side, once, right after get_extension; it is valid until destroy returned. [host] */
    glasses_result (*GLASSES_NONNULL attach)(
        void *GLASSES_NULLABLE instance, const glasses_camera_host *GLASSES_NONNULL host);

    /* Begins a stream into ring, which stays the host's. configuration is {"format", "width", "height", "frameRate"} with
     * values of describe; INVALID for others. on_completed comes when the first frame is in the ring, or cannot be, within
     * 12 s. STATE unless connected and not started. [host] */
    glasses_result (*GLASSES_NONNULL start)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, const char *GLASSES_NONNULL configuration,
        glasses_video_ring *GLASSES_NONNULL ring);

    /* Ends the stream. After on_completed, within 3 s, the plugin does not touch the ring again. [host] */
    glasses_result (*GLASSES_NONNULL stop)(void *GLASSES_NULLABLE instance, glasses_request_id request);

    /* Takes a still of the "photo" format, with or without a stream: on_photo and on_completed with OK, or on_completed with
     * the reason, within 10 s. UNSUPPORTED without "photo". BUSY while one is under way. [host] */
    glasses_result (*GLASSES_NONNULL take_photo)(void *GLASSES_NULLABLE instance, glasses_request_id request);
} glasses_camera;

#endif
