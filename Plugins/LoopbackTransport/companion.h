/* The companion of the virtual device: it registers the app and grants permissions as the settings say. Everything but
 * companion_init and companion_end runs on the control thread. */
#ifndef LOOPBACK_COMPANION_H
#define LOOPBACK_COMPANION_H

#include "settings.h"
#include <CGlassesPlugin.h>

typedef struct companion {
    companion_kind kind;
    const glasses_transport_host *host;
    const glasses_registration_host *side;
    glasses_registration_state state;
    int32_t is_granted[3];          /* by permission */
    glasses_request_id registering; /* the request that waits for the person, or 0 */
    glasses_request_id asking;      /* likewise, for `asked` */
    glasses_permission asked;
} companion;

/* A companion that knows nothing of the app yet. */
void companion_init(companion *c, companion_kind kind, const glasses_transport_host *host);

/* Tells how far the registration is. */
void companion_tell(const companion *c);

/* Each ends its request now, or with the person's answer. */
void companion_register(companion *c, glasses_request_id request);
void companion_unregister(companion *c, glasses_request_id request);
void companion_check(const companion *c, glasses_request_id request, glasses_permission permission);
void companion_request(companion *c, glasses_request_id request, glasses_permission permission);

/* Takes the person's answer out of a URL, and says whether it was one. */
void companion_open(companion *c, glasses_request_id request, const char *url);

/* Ends what still waits for the person, as cancelled. No other thread runs any more. */
void companion_end(companion *c);

#endif
