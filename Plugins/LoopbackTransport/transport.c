/* A transport in plain C: a virtual device with sound, and if wanted a camera and a display. It shows how a plugin keeps the
 * ABI's rules: calls on [host] only queue a command, the control thread carries it out and completes it, and the [audio]
 * thread touches rings only. */
#include "display.h"
#include "instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const DEVICE_JSON =
    "{\"id\":\"virtual\",\"modelName\":\"Virtual audio device\",\"firmwareVersion\":\"\",\"deviceType\":\"unknown\","
    "\"vendor\":\"system_audio\"}";

static glasses_result queue_locked(instance *self, command next) {
    if (self->count == COMMAND_MAX) return GLASSES_ERROR_BUSY;
    self->commands[self->count++] = next;
    pthread_cond_signal(&self->arrived);
    return GLASSES_OK;
}

glasses_result instance_queue(instance *self, command next) {
    pthread_mutex_lock(&self->lock);
    glasses_result result = queue_locked(self, next);
    pthread_mutex_unlock(&self->lock);
    return result;
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
        if (registration_run(self, &next)) {
            free(next.tree);
            continue;
        }
        switch (next.verb) {
        case CONNECT:
            self->host->on_state(self->host->ctx, GLASSES_DEVICE_CONNECTING, DEVICE_JSON);
            self->host->on_state(self->host->ctx, GLASSES_DEVICE_CONNECTED, DEVICE_JSON);
            reports_tell(self);
            break;
        case DISCONNECT:
            device_set_streams(d, NULL, NULL);
            camera_stop(&self->camera);
            self->host->on_state(self->host->ctx, GLASSES_DEVICE_DISCONNECTED, "{\"cause\":\"user_requested\"}");
            break;
        case MICROPHONE_ON: failed = device_set_streams(d, next.ring, d->speaker); break;
        case MICROPHONE_OFF: failed = device_set_streams(d, NULL, d->speaker); break;
        case SPEAKER_ON: failed = device_set_streams(d, d->microphone, next.ring); break;
        case SPEAKER_OFF: failed = device_set_streams(d, d->microphone, NULL); break;
        case CAMERA_ON: failed = camera_start(&self->camera, next.video, next.mode); break;
        case CAMERA_OFF: camera_stop(&self->camera); break;
        case SHOW: break; /* the wearer answers what is shown already */
        case CLEAR: break;
        case REGISTER:
        case UNREGISTER:
        case CHECK_PERMISSION:
        case REQUEST_PERMISSION:
        case HANDLE_URL:
        case TELL_REGISTRATION: break; /* carried out above */
        case QUIT: return NULL;
        }
        complete(self, next.request, failed);
        if (next.verb == SHOW) display_answer(self->display_host, d->settings.wearer, next.tree, next.length);
        free(next.tree);
    }
}

static glasses_result activate(void *instance_pointer) {
    instance *self = instance_pointer;
    self->has_control = pthread_create(&self->control, NULL, run_control, self) == 0;
    return self->has_control ? GLASSES_OK : GLASSES_ERROR_FAILED;
}

static const char *truth(int32_t flag) { return flag ? "true" : "false"; }

static glasses_result describe(void *instance_pointer, char *buffer, size_t capacity, size_t *length) {
    instance *self = instance_pointer;
    const settings *chosen = &self->device.settings;
    int32_t written = snprintf(
        buffer, capacity,
        "{\"name\":\"Virtual audio device\",\"device\":%s,\"capabilities\":{\"camera\":%s,\"microphone\":true,"
        "\"speaker\":true,\"display\":%s,\"registration\":%s,\"power\":%s,\"input\":%s},\"microphoneRate\":%u,"
        "\"speakerRate\":%u%s%s}",
        DEVICE_JSON, truth(chosen->has_camera), truth(chosen->has_display), truth(chosen->companion != COMPANION_NONE),
        truth(chosen->has_reports), truth(chosen->has_reports),
        (unsigned)chosen->sample_rate, (unsigned)chosen->sample_rate,
        chosen->has_camera ? ",\"camera\":{\"formats\":" CAMERA_FORMATS "}" : "",
        chosen->has_display ? ",\"display\":" DISPLAY_PANEL : "");
    if (written < 0) return GLASSES_ERROR_FAILED;
    *length = (size_t)written;
    return (size_t)written < capacity ? GLASSES_OK : GLASSES_ERROR_TOO_LARGE;
}

static glasses_result connect_device(void *instance_pointer, glasses_request_id request, const char *device_id) {
    instance *self = instance_pointer;
    if (device_id && strcmp(device_id, "virtual") != 0) return GLASSES_ERROR_UNAVAILABLE;
    pthread_mutex_lock(&self->lock);
    glasses_result result = GLASSES_ERROR_STATE;
    if (!self->is_connected) result = queue_locked(self, (command){.verb = CONNECT, .request = request});
    if (result == GLASSES_OK) self->is_connected = 1;
    pthread_mutex_unlock(&self->lock);
    return result;
}

static glasses_result disconnect_device(void *instance_pointer, glasses_request_id request) {
    instance *self = instance_pointer;
    pthread_mutex_lock(&self->lock);
    glasses_result result = GLASSES_ERROR_STATE;
    if (self->is_connected) result = queue_locked(self, (command){.verb = DISCONNECT, .request = request});
    if (result == GLASSES_OK) self->is_connected = self->has_microphone = self->has_speaker = self->has_camera = 0;
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
    return change_stream(self, &self->has_microphone, 1, (command){.verb = MICROPHONE_ON, .request = request, .ring = ring});
}

static glasses_result stop_microphone(void *instance_pointer, glasses_request_id request) {
    instance *self = instance_pointer;
    return change_stream(self, &self->has_microphone, 0, (command){.verb = MICROPHONE_OFF, .request = request});
}

static glasses_result start_speaker(void *instance_pointer, glasses_request_id request, glasses_ring *ring) {
    instance *self = instance_pointer;
    return change_stream(self, &self->has_speaker, 1, (command){.verb = SPEAKER_ON, .request = request, .ring = ring});
}

static glasses_result flush_speaker(void *instance_pointer, uint64_t flush, int64_t upto) {
    instance *self = instance_pointer;
    device_flush(&self->device, flush, upto);
    return GLASSES_OK;
}

static glasses_result stop_speaker(void *instance_pointer, glasses_request_id request) {
    instance *self = instance_pointer;
    return change_stream(self, &self->has_speaker, 0, (command){.verb = SPEAKER_OFF, .request = request});
}

static glasses_result attach_camera(void *instance_pointer, const glasses_camera_host *host) {
    instance *self = instance_pointer;
    if (self->camera_host) return GLASSES_ERROR_STATE;
    self->camera_host = host;
    return GLASSES_OK;
}

static glasses_result start_camera(
    void *instance_pointer, glasses_request_id request, const char *configuration, glasses_video_ring *ring) {
    instance *self = instance_pointer;
    command next = {.verb = CAMERA_ON, .request = request, .video = ring};
    if (camera_mode_read(configuration, &next.mode) != 0) return GLASSES_ERROR_INVALID;
    return change_stream(self, &self->has_camera, 1, next);
}

static glasses_result stop_camera(void *instance_pointer, glasses_request_id request) {
    instance *self = instance_pointer;
    return change_stream(self, &self->has_camera, 0, (command){.verb = CAMERA_OFF, .request = request});
}

/* The host takes stills from the stream. */
static glasses_result take_photo(void *instance_pointer, glasses_request_id request) {
    (void)instance_pointer;
    (void)request;
    return GLASSES_ERROR_UNSUPPORTED;
}

static glasses_result attach_display(void *instance_pointer, const glasses_display_host *host) {
    instance *self = instance_pointer;
    if (self->display_host) return GLASSES_ERROR_STATE;
    self->display_host = host;
    return GLASSES_OK;
}

/* Queues what the display does, which needs a connection and the host's side. */
static glasses_result change_display(instance *self, command next) {
    pthread_mutex_lock(&self->lock);
    glasses_result result = GLASSES_ERROR_STATE;
    if (self->is_connected && self->display_host) result = queue_locked(self, next);
    pthread_mutex_unlock(&self->lock);
    return result;
}

static glasses_result show(void *instance_pointer, glasses_request_id request, const char *tree, size_t length) {
    if (length > GLASSES_DISPLAY_TREE_MAX) return GLASSES_ERROR_TOO_LARGE;
    command next = {.verb = SHOW, .request = request, .tree = malloc(length + 1), .length = length};
    if (!next.tree) return GLASSES_ERROR_FAILED;
    memcpy(next.tree, tree, length);
    next.tree[length] = '\0';
    glasses_result result = json_object_check(next.tree) == 0 ? change_display(instance_pointer, next) : GLASSES_ERROR_INVALID;
    if (result != GLASSES_OK) free(next.tree);
    return result;
}

static glasses_result clear(void *instance_pointer, glasses_request_id request) {
    return change_display(instance_pointer, (command){.verb = CLEAR, .request = request});
}

static const glasses_microphone MICROPHONE = {
    .size = sizeof(glasses_microphone), .start = start_microphone, .stop = stop_microphone};
static const glasses_speaker SPEAKER = {
    .size = sizeof(glasses_speaker), .start = start_speaker, .flush = flush_speaker, .stop = stop_speaker};

static const glasses_camera CAMERA = {
    .size = sizeof(glasses_camera), .attach = attach_camera, .start = start_camera, .stop = stop_camera,
    .take_photo = take_photo};
static const glasses_display DISPLAY = {
    .size = sizeof(glasses_display), .attach = attach_display, .show = show, .clear = clear};

static const void *get_extension(void *instance_pointer, const char *id) {
    instance *self = instance_pointer;
    const settings *chosen = &self->device.settings;
    if (strcmp(id, GLASSES_EXT_MICROPHONE) == 0) return &MICROPHONE;
    if (strcmp(id, GLASSES_EXT_SPEAKER) == 0) return &SPEAKER;
    if (strcmp(id, GLASSES_EXT_CAMERA) == 0 && chosen->has_camera) return &CAMERA;
    if (strcmp(id, GLASSES_EXT_DISPLAY) == 0 && chosen->has_display) return &DISPLAY;
    if (strcmp(id, GLASSES_EXT_REGISTRATION) == 0 && chosen->companion != COMPANION_NONE) return &LOOPBACK_REGISTRATION;
    if (strcmp(id, GLASSES_EXT_POWER) == 0 && chosen->has_reports) return &LOOPBACK_POWER;
    if (strcmp(id, GLASSES_EXT_INPUT) == 0 && chosen->has_reports) return &LOOPBACK_INPUT;
    return NULL;
}

/* Commands that are still waiting are carried out first, so that each request ends. */
static void destroy(void *instance_pointer) {
    instance *self = instance_pointer;
    if (self->has_control) {
        pthread_mutex_lock(&self->lock);
        while (queue_locked(self, (command){.verb = QUIT}) != GLASSES_OK) {
            pthread_mutex_unlock(&self->lock);
            sched_yield();
            pthread_mutex_lock(&self->lock);
        }
        pthread_mutex_unlock(&self->lock);
        pthread_join(self->control, NULL);
    }
    companion_end(&self->companion);
    device_free(&self->device);
    camera_free(&self->camera);
    pthread_cond_destroy(&self->arrived);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

static glasses_result create(
    const glasses_transport_host *host, const char *text, const glasses_transport **transport) {
    settings chosen;
    if (host->size < sizeof *host) return GLASSES_ERROR_VERSION;
    if (settings_read(text, &chosen) != 0) return GLASSES_ERROR_INVALID;
    instance *self = calloc(1, sizeof *self);
    if (!self) return GLASSES_ERROR_FAILED;
    if (device_init(&self->device, &chosen) != 0) {
        free(self);
        return GLASSES_ERROR_FAILED;
    }
    if (camera_init(&self->camera) != 0) {
        device_free(&self->device);
        free(self);
        return GLASSES_ERROR_FAILED;
    }
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->arrived, NULL);
    self->host = host;
    companion_init(&self->companion, chosen.companion, host);
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
    int32_t is_known = host->size >= sizeof *host && host->abi_major == GLASSES_ABI_MAJOR;
    return is_known ? GLASSES_OK : GLASSES_ERROR_VERSION;
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
