/* Transport extension: what the wearer does with buttons and touch pads that do not select on a display.
 *
 * describe says "input": true in "capabilities".
 */
#ifndef GLASSES_EXT_INPUT_H
#define GLASSES_EXT_INPUT_H

#include "../base.h"

#define GLASSES_EXT_INPUT "glasses.input/1"

typedef int32_t glasses_gesture;
enum {
    GLASSES_GESTURE_TAP = 1,
    GLASSES_GESTURE_DOUBLE_TAP = 2,
    GLASSES_GESTURE_HOLD = 3,
    GLASSES_GESTURE_SWIPE_FORWARD = 4,
    GLASSES_GESTURE_SWIPE_BACK = 5
};

/* The host's side of one device's gestures; as glasses_transport_host. */
typedef struct GLASSES_SENDABLE glasses_input_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* One gesture, while connected. t_ns is its CLOCK_MONOTONIC time, or 0 when it is not known. detail is null or an object
     * with {"control"?: which button or pad, "inferred"?: true when the plugin concludes the gesture from what it caused}. [any] */
    void (*GLASSES_NONNULL on_input)(
        void *GLASSES_NULLABLE ctx, glasses_gesture gesture, int64_t t_ns, const char *GLASSES_NULLABLE detail);
} glasses_input_host;

typedef struct GLASSES_SENDABLE glasses_input {
    uint32_t size;
    uint32_t reserved;

    /* As glasses_camera.attach. [host] */
    glasses_result (*GLASSES_NONNULL attach)(
        void *GLASSES_NULLABLE instance, const glasses_input_host *GLASSES_NONNULL host);
} glasses_input;

#endif
