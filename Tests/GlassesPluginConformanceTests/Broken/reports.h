/* A registration, and what the device tells of itself and of its wearer. */
#ifndef BROKEN_REPORTS_H
#define BROKEN_REPORTS_H

#include "transport_state.h"

static glasses_result attach_registration(void *pointer, const glasses_registration_host *host) {
    ((transport *)pointer)->registration_host = host;
    if (!IS(NO_REGISTRATION_STATE)) host->on_registration(host->ctx, GLASSES_REGISTRATION_REGISTERED, NULL);
    return GLASSES_OK;
}

static glasses_result register_app(void *self, glasses_request_id id) {
    done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static glasses_result check_permission(void *pointer, glasses_request_id id, glasses_permission permission) {
    transport *self = pointer;
    const glasses_registration_host *host = self->registration_host;
    int is_known = permission == GLASSES_PERMISSION_CAMERA || permission == GLASSES_PERMISSION_MICROPHONE;
    if (!is_known && !IS(ANY_PERMISSION)) return GLASSES_ERROR_INVALID;
    host->on_permission(host->ctx, id, 1);
    IF(ANSWERS_TWICE) host->on_permission(host->ctx, id, 0);
    done(self, id, GLASSES_OK);
    IF(PERMISSION_ENDS_TWICE) done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static glasses_result handle_url(void *pointer, glasses_request_id id, const char *url) {
    transport *self = pointer;
    const glasses_registration_host *host = self->registration_host;
    if (strlen(url) > GLASSES_URL_MAX && !IS(NO_URL_LIMIT)) return GLASSES_ERROR_TOO_LARGE;
    host->on_url(host->ctx, id, IS(TAKES_ANY_URL) ? 1 : 0);
    done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static glasses_result attach_power(void *self, const glasses_power_host *host) {
    ((transport *)self)->power_host = host;
    return GLASSES_OK;
}

static glasses_result attach_input(void *self, const glasses_input_host *host) {
    ((transport *)self)->input_host = host;
    return GLASSES_OK;
}

/* After CONNECTED. */
static void report(const transport *self) {
    const glasses_power_host *power = self->power_host;
    const glasses_input_host *input = self->input_host;
    if (power) power->on_power(power->ctx, IS(WILD_BATTERY) ? "{\"battery\":101}" : "{\"battery\":50,\"worn\":true}");
    if (input) input->on_input(input->ctx, IS(WILD_GESTURE) ? 77 : GLASSES_GESTURE_TAP, 0, NULL);
}

#endif
