/* The extensions that tell of people: the registration and the permissions, and what the glasses and their wearer report. */
#include "instance.h"

#include <stdlib.h>
#include <string.h>

int32_t registration_run(instance *self, const command *next) {
    companion *c = &self->companion;
    switch (next->verb) {
    case TELL_REGISTRATION: companion_tell(c); return 1;
    case REGISTER: companion_register(c, next->request); return 1;
    case UNREGISTER: companion_unregister(c, next->request); return 1;
    case CHECK_PERMISSION: companion_check(c, next->request, next->permission); return 1;
    case REQUEST_PERMISSION: companion_request(c, next->request, next->permission); return 1;
    case HANDLE_URL: companion_open(c, next->request, next->tree); return 1;
    default: return 0;
    }
}

void reports_tell(const instance *self) {
    if (self->power_host) {
        self->power_host->on_power(
            self->power_host->ctx,
            "{\"battery\":80,\"charging\":\"notCharging\",\"thermal\":\"none\",\"hinges\":\"open\",\"worn\":true}");
    }
    if (self->input_host) {
        self->input_host->on_input(self->input_host->ctx, GLASSES_GESTURE_TAP, 0, "{\"control\":\"temple\"}");
    }
}

static glasses_result attach_registration(void *pointer, const glasses_registration_host *host) {
    instance *self = pointer;
    if (self->companion.side) return GLASSES_ERROR_STATE;
    self->companion.side = host;
    return instance_queue(self, (command){.verb = TELL_REGISTRATION});
}

static glasses_result register_app(void *self, glasses_request_id request) {
    return instance_queue(self, (command){.verb = REGISTER, .request = request});
}

static glasses_result unregister_app(void *self, glasses_request_id request) {
    return instance_queue(self, (command){.verb = UNREGISTER, .request = request});
}

static int32_t is_known(glasses_permission permission) {
    return permission == GLASSES_PERMISSION_CAMERA || permission == GLASSES_PERMISSION_MICROPHONE;
}

static glasses_result check_permission(void *self, glasses_request_id request, glasses_permission permission) {
    if (!is_known(permission)) return GLASSES_ERROR_INVALID;
    return instance_queue(self, (command){.verb = CHECK_PERMISSION, .request = request, .permission = permission});
}

static glasses_result request_permission(void *self, glasses_request_id request, glasses_permission permission) {
    if (!is_known(permission)) return GLASSES_ERROR_INVALID;
    return instance_queue(self, (command){.verb = REQUEST_PERMISSION, .request = request, .permission = permission});
}

static glasses_result handle_url(void *self, glasses_request_id request, const char *url) {
    if (strlen(url) > GLASSES_URL_MAX) return GLASSES_ERROR_TOO_LARGE;
    command next = {.verb = HANDLE_URL, .request = request, .tree = strdup(url)};
    if (!next.tree) return GLASSES_ERROR_FAILED;
    glasses_result result = instance_queue(self, next);
    if (result != GLASSES_OK) free(next.tree);
    return result;
}

static glasses_result attach_power(void *pointer, const glasses_power_host *host) {
    instance *self = pointer;
    if (self->power_host) return GLASSES_ERROR_STATE;
    self->power_host = host;
    return GLASSES_OK;
}

static glasses_result attach_input(void *pointer, const glasses_input_host *host) {
    instance *self = pointer;
    if (self->input_host) return GLASSES_ERROR_STATE;
    self->input_host = host;
    return GLASSES_OK;
}

const glasses_registration LOOPBACK_REGISTRATION = {
    .size = sizeof(glasses_registration),
    .attach = attach_registration,
    .register_app = register_app,
    .unregister_app = unregister_app,
    .check_permission = check_permission,
    .request_permission = request_permission,
    .handle_url = handle_url,
};
const glasses_power LOOPBACK_POWER = {.size = sizeof(glasses_power), .attach = attach_power};
const glasses_input LOOPBACK_INPUT = {.size = sizeof(glasses_input), .attach = attach_input};
