#include "companion.h"

#include <string.h>

static const char ANSWER[] = "loopback://answer?";
static const char REFUSAL[] = "{\"code\":\"registration_refused\",\"message\":\"The virtual companion refused. Set it to agree.\"}";
static const char TWICE[] = "{\"code\":\"request_in_progress\",\"message\":\"The person is being asked already. Answer first.\"}";

static void end(const companion *c, glasses_request_id request, glasses_result result, const char *detail) {
    c->host->on_completed(c->host->ctx, request, result, detail);
}

static void enter(companion *c, glasses_registration_state state, const char *detail) {
    c->state = state;
    c->side->on_registration(c->side->ctx, state, detail);
}

static void permit(companion *c, glasses_request_id request, glasses_permission permission, int32_t is_granted) {
    c->is_granted[permission] = is_granted;
    c->side->on_permission(c->side->ctx, request, is_granted);
    end(c, request, GLASSES_OK, NULL);
}

static void decide_registration(companion *c, glasses_request_id request, int32_t agrees) {
    enter(c, agrees ? GLASSES_REGISTRATION_REGISTERED : GLASSES_REGISTRATION_AVAILABLE, agrees ? NULL : REFUSAL);
    end(c, request, agrees ? GLASSES_OK : GLASSES_ERROR_DENIED, agrees ? NULL : REFUSAL);
}

void companion_init(companion *c, companion_kind kind, const glasses_transport_host *host) {
    *c = (companion){.kind = kind, .host = host, .state = GLASSES_REGISTRATION_AVAILABLE};
}

void companion_tell(const companion *c) { c->side->on_registration(c->side->ctx, c->state, NULL); }

void companion_register(companion *c, glasses_request_id request) {
    if (c->state == GLASSES_REGISTRATION_REGISTERED) {
        end(c, request, GLASSES_OK, NULL);
    } else if (c->registering) {
        end(c, request, GLASSES_ERROR_BUSY, TWICE);
    } else if (c->kind == COMPANION_ASKS) {
        c->registering = request;
        enter(c, GLASSES_REGISTRATION_REGISTERING, NULL);
    } else {
        decide_registration(c, request, c->kind == COMPANION_AGREES);
    }
}

void companion_unregister(companion *c, glasses_request_id request) {
    memset(c->is_granted, 0, sizeof c->is_granted);
    if (c->state == GLASSES_REGISTRATION_REGISTERED) enter(c, GLASSES_REGISTRATION_AVAILABLE, NULL);
    end(c, request, GLASSES_OK, NULL);
}

void companion_check(const companion *c, glasses_request_id request, glasses_permission permission) {
    c->side->on_permission(c->side->ctx, request, c->is_granted[permission]);
    end(c, request, GLASSES_OK, NULL);
}

void companion_request(companion *c, glasses_request_id request, glasses_permission permission) {
    if (c->asking) {
        end(c, request, GLASSES_ERROR_BUSY, TWICE);
    } else if (c->kind == COMPANION_ASKS && !c->is_granted[permission]) {
        c->asking = request;
        c->asked = permission;
    } else {
        permit(c, request, permission, c->is_granted[permission] || c->kind == COMPANION_AGREES);
    }
}

void companion_open(companion *c, glasses_request_id request, const char *url) {
    int32_t is_answer = strncmp(url, ANSWER, sizeof ANSWER - 1) == 0;
    if (is_answer) {
        int32_t agrees = strcmp(url + sizeof ANSWER - 1, "yes") == 0;
        if (c->registering) decide_registration(c, c->registering, agrees);
        if (c->asking) permit(c, c->asking, c->asked, agrees);
        c->registering = c->asking = 0;
    }
    c->side->on_url(c->side->ctx, request, is_answer);
    end(c, request, GLASSES_OK, NULL);
}

void companion_end(companion *c) {
    if (c->registering) end(c, c->registering, GLASSES_ERROR_CANCELLED, NULL);
    if (c->asking) end(c, c->asking, GLASSES_ERROR_CANCELLED, NULL);
}
