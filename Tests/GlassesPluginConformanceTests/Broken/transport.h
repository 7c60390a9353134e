/* A transport. */
#ifndef BROKEN_TRANSPORT_H
#define BROKEN_TRANSPORT_H

#include "pictures.h"
#include "reports.h"
#include "streams.h"

static glasses_result activate(void *self) {
    glasses_result result = activate_instance();
    ((transport *)self)->is_active = 1;
    return result;
}

static glasses_result describe(void *self, char *buffer, size_t capacity, size_t *length) {
    (void)self;
    char facts[1024];
    snprintf(
        facts, sizeof facts,
        "{\"name\":\"Broken\",\"device\":{\"id\":\"b\",\"modelName\":\"B\",\"firmwareVersion\":\"\",\"deviceType\":\"unknown\","
        "\"vendor\":\"v\"},\"capabilities\":{\"camera\":true,\"microphone\":true,\"speaker\":true,\"display\":true,"
        "\"registration\":true,\"power\":true,\"input\":true},"
        "\"camera\":{\"formats\":[{\"format\":\"i420\",\"width\":64,\"height\":48,\"frameRates\":[60]}],"
        "\"photo\":{\"format\":\"jpeg\",\"width\":64,\"height\":48}},\"display\":{\"widthPx\":64,\"heightPx\":48,"
        "\"unitScale\":1,\"shape\":\"rect\",\"input\":\"headTap\",\"minTextPx\":8},%s\"speakerRate\":16000",
        IS(NO_RATE) ? "" : "\"microphoneRate\":16000,");
    return describe_as(facts, buffer, capacity, length);
}

static const void *get_extension(void *self, const char *id) {
    static const glasses_microphone microphone = {
        IS(SMALL_EXTENSION) ? 8 : sizeof microphone, 0, start_microphone, stop_microphone};
    static const glasses_speaker speaker = {sizeof speaker, 0, start_speaker, flush_speaker, stop_speaker};
    static const glasses_camera camera = {sizeof camera, 0, attach_camera, start_camera, stop_camera, take_photo};
    static const glasses_display display = {sizeof display, 0, attach_display, show_tree, clear_display};
    static const glasses_registration registration = {
        sizeof registration, 0, attach_registration, register_app, register_app, check_permission, check_permission, handle_url};
    static const glasses_power power = {sizeof power, 0, attach_power};
    static const glasses_input input = {sizeof input, 0, attach_input};
    (void)self;
    IF(MISSING_EXTENSION) return NULL;
    IF(ANY_EXTENSION) if (strncmp(id, "glasses.microphone", 18) == 0) return &microphone;
    if (strcmp(id, GLASSES_EXT_MICROPHONE) == 0) return &microphone;
    if (strcmp(id, GLASSES_EXT_CAMERA) == 0) return &camera;
    if (strcmp(id, GLASSES_EXT_DISPLAY) == 0) return &display;
    if (strcmp(id, GLASSES_EXT_REGISTRATION) == 0) return &registration;
    if (strcmp(id, GLASSES_EXT_POWER) == 0) return &power;
    if (strcmp(id, GLASSES_EXT_INPUT) == 0) return &input;
    return strcmp(id, GLASSES_EXT_SPEAKER) == 0 ? &speaker : NULL;
}

typedef struct later {
    transport *transport;
    glasses_request_id id;
} later;
static int is_forgotten;
static void *run_later(void *argument) {
    later job = *(later *)argument;
    free(argument);
    pause_ms(100);
    if (!__atomic_load_n(&is_forgotten, __ATOMIC_ACQUIRE)) done(job.transport, job.id, GLASSES_OK);
    return NULL;
}
static void complete_later(transport *self, glasses_request_id id) {
    pthread_t thread;
    later *job = malloc(sizeof *job);
    *job = (later){self, id};
    pthread_create(&thread, NULL, run_later, job);
    pthread_detach(thread);
}

static glasses_result connect_device(void *pointer, glasses_request_id id, const char *device) {
    transport *self = pointer;
    const glasses_transport_host *host = IS(LAST_INSTANCE) ? last_host : self->host;
    IF(CRASHES_IN_CONNECT) crash();
    IF(HANGS_IN_CONNECT) hang();
    IF(NEVER_CONNECTS) return GLASSES_OK;
    IF(SLOW_CONNECT) pause_ms(1500);
    if (device && strcmp(device, "b") != 0 && !IS(ANY_DEVICE)) return GLASSES_ERROR_UNAVAILABLE;
    if (self->is_connected) {
        IF(ENDS_REFUSED) done(self, id, GLASSES_ERROR_STATE);
        return GLASSES_ERROR_STATE;
    }
    IF(CONNECTS_ONCE) if (self->connects > 0) return GLASSES_ERROR_FAILED;
    IF(LEAKS_PER_CONNECT) eventfd(0, 0);
    IF(UNKNOWN_STATE) host->on_state(host->ctx, 77, NULL);
    IF(EVENT_NOT_JSON) host->on_event(host->ctx, "{nonsense");
    IF(EVENT_NOT_UTF8) host->on_event(host->ctx, "{\"event\":\"\xff\xfe\"}");
    IF(EVENT_TOO_LONG) {
        char *text = malloc(1 << 20);
        memset(text, 'x', 1 << 20);
        text[(1 << 20) - 1] = 0;
        host->on_event(host->ctx, text);
        free(text);
    }
    self->connects++;
    self->is_connected = 1;
    if (!IS(SILENT_CONNECT)) host->on_state(host->ctx, GLASSES_DEVICE_CONNECTED, NULL);
    report(self);
    IF(FORGETS_PENDING) {
        complete_later(self, id);
        return GLASSES_OK;
    }
    done(self, id, GLASSES_OK);
    IF(COMPLETES_TWICE) done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static glasses_result disconnect_device(void *pointer, glasses_request_id id) {
    transport *self = pointer;
    IF(NEVER_DISCONNECTS) return GLASSES_OK;
    if (!self->is_connected) return GLASSES_ERROR_STATE;
    self->is_connected = 0;
    if (!IS(DISCONNECT_KEEPS_STREAM)) end_stream(&self->microphone);
    end_stream(&self->speaker);
    if (!IS(CAMERA_OUTLIVES_DISCONNECT)) end_camera(&self->camera);
    self->host->on_state(
        self->host->ctx, GLASSES_DEVICE_DISCONNECTED, IS(NO_CAUSE) ? NULL : "{\"cause\":\"user_requested\"}");
    done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static void *call_late(void *argument) {
    const glasses_transport_host *host = argument;
    pause_ms(100);
    host->on_event(host->ctx, "{\"event\":\"late\"}");
    return NULL;
}

static void destroy(void *pointer) {
    transport *self = pointer;
    pthread_t thread;
    if (IS(SLOW_DESTROY) || (IS(SLOW_DESTROY_CONNECTED) && self->is_connected)) pause_ms(2500);
    IF(CRASHES_EARLY) if (!self->is_active) crash();
    IF(CALLS_AFTER_DESTROY) if (pthread_create(&thread, NULL, call_late, (void *)self->host) == 0) pthread_detach(thread);
    __atomic_store_n(&is_forgotten, 1, __ATOMIC_RELEASE);
    instances_ended++;
    end_stream(&self->speaker);
    IF(CAMERA_OUTLIVES_INSTANCE) if (self->camera.is_running) return;
    end_camera(&self->camera);
    IF(DESTROY_KEEPS_STREAM) if (self->microphone.is_running) return;
    end_stream(&self->microphone);
    free(self);
}

static glasses_result create(
    const glasses_transport_host *host, const char *text, const glasses_transport **made) {
    static glasses_transport_host copy;
    IF(IGNORES_CALLBACKS_SIZE) copy = *host;
    glasses_result result = check_creation(host->size, sizeof *host, text);
    if (result != GLASSES_OK) return result;
    transport *self = calloc(1, sizeof *self);
    self->host = last_host = host;
    self->microphone.host = self->speaker.host = host;
    self->speaker.is_speaker = 1;
    self->table = (glasses_transport){
        IS(SMALL_TABLE) ? 16 : sizeof self->table, 0, self, activate, describe, get_extension, connect_device,
        IS(NULL_FUNCTION) ? NULL : disconnect_device, destroy};
    *made = IS(NO_INSTANCE) ? NULL : &self->table;
    return GLASSES_OK;
}
static const glasses_transport_factory FACTORY = {IS(SMALL_FACTORY) ? 8 : sizeof FACTORY, 0, create};
#define FACTORY_ID GLASSES_FACTORY_TRANSPORT

#endif
