/* Transport extension: what a device tells of its battery, its temperature, its hinges and whether it is worn.
 *
 * describe says "power": true in "capabilities".
 */
#ifndef GLASSES_EXT_POWER_H
#define GLASSES_EXT_POWER_H

#include "../base.h"

#define GLASSES_EXT_POWER "glasses.power/1"

/* The host's side of one device's reports; as glasses_transport_host. */
typedef struct GLASSES_SENDABLE glasses_power_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* Everything that is known now, once after CONNECTED was told and on each change, at most ten times a second: {"battery"?: 0 to 100
     * percent, "charging"?: "charging" | "notCharging" | "full", "thermal"?: "none" | "light" | "moderate" | "severe" |
     * "critical" | "emergency" | "shutdown", "hinges"?: "open" | "closed", "worn"?: true | false}. What is absent is not
     * known; unknown keys are ignored. [any] */
    void (*GLASSES_NONNULL on_power)(void *GLASSES_NULLABLE ctx, const char *GLASSES_NONNULL power);
} glasses_power_host;

typedef struct GLASSES_SENDABLE glasses_power {
    uint32_t size;
    uint32_t reserved;

    /* As glasses_camera.attach. [host] */
    glasses_result (*GLASSES_NONNULL attach)(
        void *GLASSES_NULLABLE instance, const glasses_power_host *GLASSES_NONNULL host);
} glasses_power;

#endif
