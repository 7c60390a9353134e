/* A first plugin in C: a device whose microphone hears a hum. It has no settings. */
#include <CGlassesPlugin.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RATE = 16000, BLOCK = RATE / 50 }; /* blocks of 20 ms */

typedef struct device {
    glasses_transport table;
    const glasses_transport_host *host;
    int is_connected, is_running, must_stop; /* must_stop is atomic */
    pthread_t thread;
    glasses_ring *ring;
    int16_t hum[BLOCK];
} device;

/* [audio]: writes one block when its time is over, with the time of its first frame, and wakes the host. */
static void *run(void *pointer) {
    device *self = pointer;
    uint64_t one = 1;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t block_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    for (; !__atomic_load_n(&self->must_stop, __ATOMIC_ACQUIRE); block_ns += 20000000) {
        struct timespec end = {(block_ns + 20000000) / 1000000000, (block_ns + 20000000) % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) continue;
        uint32_t taken = glasses_ring_write(self->ring, self->ring->capacity, self->hum, BLOCK, block_ns);
        if (taken < BLOCK) glasses_ring_add(&self->ring->dropped, BLOCK - taken);
        while (write(self->ring->wake_fd, &one, sizeof one) < 0 && errno == EINTR) continue;
    }
    return NULL;
}

static void end_capture(device *self) {
    if (!self->is_running) return;
    __atomic_store_n(&self->must_stop, 1, __ATOMIC_RELEASE);
    pthread_join(self->thread, NULL); /* one block at most */
    self->is_running = 0;
}

/* Every accepted request ends once. A plugin whose device takes its time calls this later, from a thread of its own. */
static glasses_result complete(device *self, glasses_request_id request) {
    self->host->on_completed(self->host->ctx, request, GLASSES_OK, NULL);
    return GLASSES_OK;
}

static glasses_result start_microphone(void *pointer, glasses_request_id request, glasses_ring *ring) {
    device *self = pointer;
    if (!self->is_connected || self->is_running) return GLASSES_ERROR_STATE;
    self->ring = ring;
    self->must_stop = 0;
    if (pthread_create(&self->thread, NULL, run, self) != 0) return GLASSES_ERROR_FAILED;
    self->is_running = 1;
    return complete(self, request);
}

static glasses_result stop_microphone(void *pointer, glasses_request_id request) {
    end_capture(pointer);
    return complete(pointer, request); /* after this the ring is not touched */
}

static const glasses_microphone MICROPHONE = {sizeof MICROPHONE, 0, start_microphone, stop_microphone};

static const void *get_extension(void *pointer, const char *id) {
    (void)pointer;
    return strcmp(id, GLASSES_EXT_MICROPHONE) == 0 ? &MICROPHONE : NULL;
}

static glasses_result activate(void *pointer) {
    device *self = pointer;
    for (int i = 0; i < BLOCK; i++) self->hum[i] = (int16_t)(3000 * sin(2 * 3.14159265358979 * 200 * i / RATE));
    return GLASSES_OK;
}

static glasses_result describe(void *pointer, char *buffer, size_t capacity, size_t *length) {
    static const char facts[] =
        "{\"name\":\"Humming device\",\"device\":{\"id\":\"hum\",\"modelName\":\"Hum\",\"firmwareVersion\":\"1\","
        "\"deviceType\":\"unknown\",\"vendor\":\"example\"},\"capabilities\":{\"camera\":false,\"microphone\":true,"
        "\"speaker\":false,\"display\":false},\"microphoneRate\":16000}";
    (void)pointer;
    *length = sizeof facts - 1;
    if (capacity < sizeof facts) return GLASSES_ERROR_TOO_LARGE;
    memcpy(buffer, facts, sizeof facts);
    return GLASSES_OK;
}

static glasses_result connect_device(void *pointer, glasses_request_id request, const char *device_id) {
    device *self = pointer;
    if (self->is_connected) return GLASSES_ERROR_STATE;
    if (device_id && strcmp(device_id, "hum") != 0) return GLASSES_ERROR_UNAVAILABLE;
    self->is_connected = 1;
    self->host->on_state(self->host->ctx, GLASSES_DEVICE_CONNECTED, NULL);
    return complete(self, request);
}

static glasses_result disconnect_device(void *pointer, glasses_request_id request) {
    device *self = pointer;
    if (!self->is_connected) return GLASSES_ERROR_STATE;
    end_capture(self);
    self->is_connected = 0;
    self->host->on_state(self->host->ctx, GLASSES_DEVICE_DISCONNECTED, "{\"cause\":\"user_requested\"}");
    return complete(self, request);
}

static void destroy(void *pointer) {
    end_capture(pointer);
    free(pointer);
}

/* Settings are a JSON object; this plugin has none and looks no further. */
static int is_object(const char *text) {
    const char *end = text + strlen(text);
    while (end > text && strchr(" \t\r\n", end[-1])) end--;
    text += strspn(text, " \t\r\n");
    return end - text >= 2 && *text == '{' && end[-1] == '}';
}

static glasses_result create(
    const glasses_transport_host *host, const char *settings, const glasses_transport **transport) {
    if (host->size < sizeof *host) return GLASSES_ERROR_VERSION;
    if (!is_object(settings)) return GLASSES_ERROR_INVALID;
    device *self = calloc(1, sizeof *self);
    if (!self) return GLASSES_ERROR_FAILED;
    self->host = host;
    self->table = (glasses_transport){
        sizeof self->table, 0, self, activate, describe, get_extension, connect_device, disconnect_device, destroy};
    *transport = &self->table;
    return GLASSES_OK;
}

static const glasses_transport_factory FACTORY = {sizeof FACTORY, 0, create};

static glasses_result activate_plugin(const glasses_host *host) {
    return host->size >= sizeof *host && host->abi_major == GLASSES_ABI_MAJOR ? GLASSES_OK : GLASSES_ERROR_VERSION;
}

static void shutdown_plugin(void) {}

static const void *get_factory(const char *id) { return strcmp(id, GLASSES_FACTORY_TRANSPORT) == 0 ? &FACTORY : NULL; }

static const glasses_entry ENTRY = {
    sizeof ENTRY, GLASSES_ENTRY_MAGIC, GLASSES_ABI_MAJOR, GLASSES_ABI_MINOR, activate_plugin, shutdown_plugin, get_factory};

const glasses_entry *glasses_plugin_entry(void) { return &ENTRY; }
