/* A transport in plain C: a virtual audio device. It shows how a plugin keeps the ABI's rules: calls on [host] only queue
 * a command, the control thread carries it out and completes it, and the [audio] thread touches rings only. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND_MAX = 16 }; /* the host has at most one open request per stream and one for the connection */

typedef enum verb { CONNECT, DISCONNECT, MICROPHONE_ON, MICROPHONE_OFF, SPEAKER_ON, SPEAKER_OFF, QUIT } verb;

typedef struct command {
    verb verb;
    glasses_request_id request;
    glasses_ring *ring;
} command;

typedef struct instance {
    glasses_transport table;
    const glasses_transport_host *host;
    device device;
    pthread_t control;
    int32_t has_control;

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t arrived;
    command commands[COMMAND_MAX];
    uint32_t count;
    int32_t is_connected; /* as the commands queued so far will leave it, so that a refusal comes at once */
    int32_t has_microphone;
    int32_t has_speaker;
} instance;

static const char *const DEVICE_JSON =
    "{\"id\":\"virtual\",\"modelName\":\"Virtual audio device\",\"firmwareVersion\":\"\",\"deviceType\":\"unknown\","
    "\"vendor\":\"system_audio\"}";

static glasses_result queue_locked(instance *self, command next) {
    if (self->count == COMMAND_MAX) return GLASSES_ERROR_BUSY;
    self->commands[self->count++] = next;
    pthread_cond_signal(&self->arrived);
    return GLASSES_OK;
}

static command next_command(instance *self) {
    pthread_mutex_lock(&self->lock);
    while (self->count == 0) pthread_cond_wait(&self->arrived, &self->lock);
    command first = self->commands[0];
    self->count--;
    memmove(self->commands, self->commands + 1, self->count * sizeof first);
    pthread_mutex_unlock(&self->lock);
    return first;
}

static void complete(instance *self, glasses_request_id request, int32_t failed) {
    const char *detail = "{\"code\":\"out_of_resources\",\"message\":\"No thread could be started. Close other apps.\"}";
    self->host->on_completed(self->host->ctx, request, failed ? GLASSES_ERROR_FAILED : GLASSES_OK, failed ? detail : NULL);
}

/* The control thread: it may wait for the [audio] thread, which takes at most two periods. */
static void *run_control(void *argument) {
    instance *self = argument;
    device *d = &self->device;
    for (;;) {
        command next = next_command(self);
        int32_t failed = 0;
        switch (next.verb) {
        case CONNECT:
            self->host->on_state(self->host->ctx, GLASSES_DEVICE_CONNECTING, DEVICE_JSON);
            self->host->on_state(self->host->ctx, GLASSES_DEVICE_CONNECTED, DEVICE_JSON);
            break;
        case DISCONNECT:
            device_set_streams(d, NULL, NULL);
            self->host->on_state(self->host->ctx, GLASSES_DEVICE_DISCONNECTED, "{\"cause\":\"user_requested\"}");
            break;
        case MICROPHONE_ON: failed = device_set_streams(d, next.ring, d->speaker); break;
        case MICROPHONE_OFF: failed = device_set_streams(d, NULL, d->speaker); break;
        case SPEAKER_ON: failed = device_set_streams(d, d->microphone, next.ring); break;
        case SPEAKER_OFF: failed = device_set_streams(d, d->microphone, NULL); break;
        case QUIT: return NULL;
        }
        complete(self, next.request, failed);
    }
}

static glasses_result activate(void *instance_pointer) {
    instance *self = instance_pointer;
    self->has_control = pthread_create(&self->control, NULL, run_control, self) == 0;
    return self->has_control ? GLASSES_OK : GLASSES_ERROR_FAILED;
}

static glasses_result describe(void *instance_pointer, char *buffer, size_t capacity, size_t *length) {
    instance *self = instance_pointer;
    int32_t written = snprintf(
        buffer, capacity,
        "{\"name\":\"Virtual audio device\",\"device\":%s,\"capabilities\":{\"camera\":false,\"microphone\":true,"
        "\"speaker\":true,\"display\":false},\"microphoneRate\":%u,\"speakerRate\":%u}",
        DEVICE_JSON, (unsigned)self->device.settings.sample_rate, (unsigned)self->device.settings.sample_rate);
    if (written < 0) return GLASSES_ERROR_FAILED;
    *length = (size_t)written;
    return (size_t)written < capacity ? GLASSES_OK : GLASSES_ERROR_TOO_LARGE;
}

static glasses_result connect_device(void *instance_pointer, glasses_request_id request, const char *device_id) {
    instance *self = instance_pointer;
    if (device_id && strcmp(device_id, "virtual") != 0) return GLASSES_ERROR_UNAVAILABLE;
    pthread_mutex_lock(&self->lock);
    glasses_result result = GLASSES_ERROR_STATE;
    if (!self->is_connected) result = queue_locked(self, (command){CONNECT, request, NULL});
    if (result == GLASSES_OK) self->is_connected = 1;
    pthread_mutex_unlock(&self->lock);
    return result;
}

static glasses_result disconnect_device(void *instance_pointer, glasses_request_id request) {
    instance *self = instance_pointer;
    pthread_mutex_lock(&self->lock);
    glasses_result result = GLASSES_ERROR_STATE;
    if (self->is_connected) result = queue_locked(self, (command){DISCONNECT, request, NULL});
    if (result == GLASSES_OK) self->is_connected = self->has_microphone = self->has_speaker = 0;
    pthread_mutex_unlock(&self->lock);
    return result;
}

/* Starts or stops one stream: `flag` says whether it runs, `wanted` what it shall do. */
static glasses_result change_stream(instance *self, int32_t *flag, int32_t wanted, command next) {
    pthread_mutex_lock(&self->lock);
    glasses_result result = GLASSES_ERROR_STATE;
    if (self->is_connected && *flag != wanted) result = queue_locked(self, next);
    if (result == GLASSES_OK) *flag = wanted;
    pthread_mutex_unlock(&self->lock);
    return result;
}

static glasses_result start_microphone(void *instance_pointer, glasses_request_id request, glasses_ring *ring) {
    instance *self = instance_pointer;
    return change_stream(self, &self->has_microphone, 1, (command){MICROPHONE_ON, request, ring});
}

static glasses_result stop_microphone(void *instance_pointer, glasses_request_id request) {
    instance *self = instance_pointer;
    return change_stream(self, &self->has_microphone, 0, (command){MICROPHONE_OFF, request, NULL});
}

static glasses_result start_speaker(void *instance_pointer, glasses_request_id request, glasses_ring *ring) {
    instance *self = instance_pointer;
    return change_stream(self, &self->has_speaker, 1, (command){SPEAKER_ON, request, ring});
}

static glasses_result flush_speaker(void *instance_pointer, uint64_t flush, int64_t upto) {
    instance *self = instance_pointer;
    device_flush(&self->device, flush, upto);
    return GLASSES_OK;
}

static glasses_result stop_speaker(void *instance_pointer, glasses_request_id request) {
    instance *self = instance_pointer;
    return change_stream(self, &self->has_speaker, 0, (command){SPEAKER_OFF, request, NULL});
}

static const glasses_microphone MICROPHONE = {
    .size = sizeof(glasses_microphone), .start = start_microphone, .stop = stop_microphone};
static const glasses_speaker SPEAKER = {
    .size = sizeof(glasses_speaker), .start = start_speaker, .flush = flush_speaker, .stop = stop_speaker};

static const void *get_extension(void *instance_pointer, const char *id) {
    (void)instance_pointer;
    if (strcmp(id, GLASSES_EXT_MICROPHONE) == 0) return &MICROPHONE;
    if (strcmp(id, GLASSES_EXT_SPEAKER) == 0) return &SPEAKER;
    return NULL;
}

/* Commands that are still waiting are carried out first, so that each request ends. */
static void destroy(void *instance_pointer) {
    instance *self = instance_pointer;
    if (self->has_control) {
        pthread_mutex_lock(&self->lock);
        while (queue_locked(self, (command){QUIT, 0, NULL}) != GLASSES_OK) {
            pthread_mutex_unlock(&self->lock);
            sched_yield();
            pthread_mutex_lock(&self->lock);
        }
        pthread_mutex_unlock(&self->lock);
        pthread_join(self->control, NULL);
    }
    device_free(&self->device);
    pthread_cond_destroy(&self->arrived);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

static glasses_result create(
    const glasses_transport_host *host, const char *text, const glasses_transport **transport) {
    settings chosen;
    if (settings_read(text, &chosen) != 0) return GLASSES_ERROR_INVALID;
    instance *self = calloc(1, sizeof *self);
    if (!self) return GLASSES_ERROR_FAILED;
    if (device_init(&self->device, &chosen) != 0) {
        free(self);
        return GLASSES_ERROR_FAILED;
    }
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->arrived, NULL);
    self->host = host;
    self->table = (glasses_transport){
        .size = sizeof(glasses_transport),
        .instance = self,
        .activate = activate,
        .describe = describe,
        .get_extension = get_extension,
        .connect = connect_device,
        .disconnect = disconnect_device,
        .destroy = destroy,
    };
    *transport = &self->table;
    return GLASSES_OK;
}

static const glasses_transport_factory FACTORY = {.size = sizeof(glasses_transport_factory), .create = create};

static glasses_result activate_plugin(const glasses_host *host) {
    return host->abi_major == GLASSES_ABI_MAJOR ? GLASSES_OK : GLASSES_ERROR_VERSION;
}

static void shutdown_plugin(void) {}

static const void *get_factory(const char *id) {
    return strcmp(id, GLASSES_FACTORY_TRANSPORT) == 0 ? &FACTORY : NULL;
}

static const glasses_entry ENTRY = {
    .size = sizeof(glasses_entry),
    .magic = GLASSES_ENTRY_MAGIC,
    .abi_major = GLASSES_ABI_MAJOR,
    .abi_minor = GLASSES_ABI_MINOR,
    .activate = activate_plugin,
    .shutdown = shutdown_plugin,
    .get_factory = get_factory,
};

const glasses_entry *glasses_plugin_entry(void) { return &ENTRY; }
