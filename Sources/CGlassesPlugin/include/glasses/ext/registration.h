/* Transport extension: the app's registration with the vendor's companion, and what the wearer allows the app to use.
 *
 * describe says "registration": true in "capabilities".
 *
 * Both are a person's decision, which the companion reports by opening a URL of the app; the app hands that URL over by
 * handle_url. Nothing here needs a connection, and nothing waits: an answer is a callback with the request's id, followed by its
 * on_completed with OK. A transport that needs a registration refuses connect with DENIED and the code
 * "registration_required" while there is none.
 */
#ifndef GLASSES_EXT_REGISTRATION_H
#define GLASSES_EXT_REGISTRATION_H

#include "../base.h"

#define GLASSES_EXT_REGISTRATION "glasses.registration/1"

/* The longest URL, in bytes without the NUL: the usual limit of programs that open URLs. */
#define GLASSES_URL_MAX 8192u

typedef int32_t glasses_registration_state;
enum {
    GLASSES_REGISTRATION_UNAVAILABLE = 0, /* there is no companion, or no way to it */
    GLASSES_REGISTRATION_AVAILABLE = 1,   /* the app can register */
    GLASSES_REGISTRATION_REGISTERING = 2, /* the person is being asked */
    GLASSES_REGISTRATION_REGISTERED = 3
};

typedef int32_t glasses_permission;
enum {
    GLASSES_PERMISSION_CAMERA = 1,
    GLASSES_PERMISSION_MICROPHONE = 2
};

/* The host's side of one registration; as glasses_transport_host. */
typedef struct GLASSES_SENDABLE glasses_registration_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* The state: once within 3 s after attach, and on each change. detail is null or {"code", "message"}: why a registration was
     * refused or taken back. [any] */
    void (*GLASSES_NONNULL on_registration)(
        void *GLASSES_NULLABLE ctx, glasses_registration_state state, const char *GLASSES_NULLABLE detail);

    /* The answer of check_permission and request_permission, before on_completed with OK: 1 for granted, 0 for not. A person who
     * says no is an answer and no error. [any] */
    void (*GLASSES_NONNULL on_permission)(
        void *GLASSES_NULLABLE ctx, glasses_request_id request, int32_t is_granted);

    /* The answer of handle_url, before on_completed with OK: 1 when the URL was the companion's, 0 when it was not. [any] */
    void (*GLASSES_NONNULL on_url)(void *GLASSES_NULLABLE ctx, glasses_request_id request, int32_t is_handled);
} glasses_registration_host;

typedef struct GLASSES_SENDABLE glasses_registration {
    uint32_t size;
    uint32_t reserved;

    /* As glasses_camera.attach. [host] */
    glasses_result (*GLASSES_NONNULL attach)(
        void *GLASSES_NULLABLE instance, const glasses_registration_host *GLASSES_NONNULL host);

    /* Registers the app: on_completed with OK when it is REGISTERED, at once where it is already, or with the reason (DENIED
     * when the person or the companion refused, UNAVAILABLE without a companion), within 90 s. BUSY while another one is
     * open. [host] */
    glasses_result (*GLASSES_NONNULL register_app)(void *GLASSES_NULLABLE instance, glasses_request_id request);

    /* Takes the registration back; as register_app, OK when there is none. [host] */
    glasses_result (*GLASSES_NONNULL unregister_app)(void *GLASSES_NULLABLE instance, glasses_request_id request);

    /* Tells a permission without asking anybody, within 8 s. INVALID for one that this header does not have. [host] */
    glasses_result (*GLASSES_NONNULL check_permission)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, glasses_permission permission);

    /* Asks the person, unless it is granted already, within 90 s. BUSY while another one is open. [host] */
    glasses_result (*GLASSES_NONNULL request_permission)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, glasses_permission permission);

    /* Takes a URL that the app was opened with, valid during the call only, within 8 s. TOO_LARGE above GLASSES_URL_MAX. [host] */
    glasses_result (*GLASSES_NONNULL handle_url)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, const char *GLASSES_NONNULL url);
} glasses_registration;

#endif
