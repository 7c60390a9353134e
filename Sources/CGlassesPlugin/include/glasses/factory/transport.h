/* Factory for device transports.
 *
 * Life of an instance: create -> activate -> describe, get_extension -> connect ... disconnect -> destroy.
 * No call but describe returns data, and none waits for the device: it is accepted or refused at once, and an accepted
 * request ends in exactly one on_completed with its id, within 10 s (connect) or 2 s (everything else).
 */
#ifndef GLASSES_FACTORY_TRANSPORT_H
#define GLASSES_FACTORY_TRANSPORT_H

#include "../base.h"
#include "../host.h"

#define GLASSES_FACTORY_TRANSPORT "glasses.transport/1"

typedef int32_t glasses_device_state;
enum {
    GLASSES_DEVICE_DISCONNECTED = 0,
    GLASSES_DEVICE_DISCOVERED = 1,
    GLASSES_DEVICE_CONNECTING = 2,
    GLASSES_DEVICE_CONNECTED = 3
};

/* The host's side of one transport. Owned by the host, valid until destroy returned. No callback may come after that,
 * and none may come from an [audio] thread. */
typedef struct GLASSES_SENDABLE glasses_transport_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* The state changed by itself or by a request. detail is a JSON object or null: for CONNECTED the keys of
     * describe's "device"; for DISCONNECTED {"cause": "user_requested" | "device_dropped" | "hinges_closed" |
     * "thermal_critical" | "failure", "code", "message"}. [any] */
    void (*GLASSES_NONNULL on_state)(
        void *GLASSES_NULLABLE ctx, glasses_device_state state, const char *GLASSES_NULLABLE detail);

    /* The end of a request. detail is null or a JSON object {"code", "message"} that explains an error. [any] */
    void (*GLASSES_NONNULL on_completed)(
        void *GLASSES_NULLABLE ctx, glasses_request_id request, glasses_result result, const char *GLASSES_NULLABLE detail);

    /* Something worth telling: a JSON object with "event", such as {"event": "microphone_lost", "message": "..."},
     * "microphone_back", "speaker_lost", "speaker_back". Unknown events are kept for the log.
     *
     * {"event": "pairing_code", "code": "...", "message": "..."} is handed to the app and never logged: what a person types into the
     * device or its companion to let this app in. code has 1 to 64 bytes without the NUL; message is the sentence to show with it. [any] */
    void (*GLASSES_NONNULL on_event)(void *GLASSES_NULLABLE ctx, const char *GLASSES_NONNULL event);
} glasses_transport_host;

typedef struct GLASSES_SENDABLE glasses_transport {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE instance; /* the plugin's own pointer, passed back as it is */

    /* Prepares the instance and finds out its facts; opens no device for streaming. Once. [host] */
    glasses_result (*GLASSES_NONNULL activate)(void *GLASSES_NULLABLE instance);

    /* Writes the facts as a JSON object into buffer and its length into *length; TOO_LARGE with the needed length when
     * capacity is too small. Constant after activate:
     * {"name", "device": {"id", "modelName", "firmwareVersion", "deviceType", "vendor", "modelId"?},
     *  "capabilities": {"camera", "microphone", "speaker", "display", "registration"?, "power"?, "input"?},
     *  "microphoneRate"?: Hz, "speakerRate"?: Hz}. [host] */
    glasses_result (*GLASSES_NONNULL describe)(
        void *GLASSES_NULLABLE instance, char *GLASSES_NONNULL buffer, size_t capacity, size_t *GLASSES_NONNULL length);

    /* The extension named by id, such as GLASSES_EXT_MICROPHONE, or null. Owned by the plugin, valid until destroy.
     * [host], after activate. */
    const void *GLASSES_NULLABLE (*GLASSES_NONNULL get_extension)(
        void *GLASSES_NULLABLE instance, const char *GLASSES_NONNULL id);

    /* Connects to device_id, or to the default device for null. UNAVAILABLE with the code "no_device_available" when there is
     * no such device. [host] */
    glasses_result (*GLASSES_NONNULL connect)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, const char *GLASSES_NULLABLE device_id);

    /* Disconnects; streams end first. [host] */
    glasses_result (*GLASSES_NONNULL disconnect)(void *GLASSES_NULLABLE instance, glasses_request_id request);

    /* Ends the instance within 2 s: streams end, open requests complete with CANCELLED, threads are joined or abandoned.
     * [host] */
    void (*GLASSES_NONNULL destroy)(void *GLASSES_NULLABLE instance);
} glasses_transport;

typedef struct GLASSES_SENDABLE glasses_transport_factory {
    uint32_t size;
    uint32_t reserved;
    /* Makes an instance. settings is a JSON object whose keys the plugin documents; unknown keys are ignored, a value of
     * the wrong kind is INVALID. *transport is owned by the plugin and valid until destroy. [host] */
    glasses_result (*GLASSES_NONNULL create)(
        const glasses_transport_host *GLASSES_NONNULL host, const char *GLASSES_NONNULL settings,
        const glasses_transport *GLASSES_NULLABLE *GLASSES_NONNULL transport);
} glasses_transport_factory;

#endif
