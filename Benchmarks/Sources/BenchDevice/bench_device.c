/* The plugin that plugin-benchmarks loads: a microphone with blocks of 20 ms and a camera, whose every block and frame has new
 * content, a sum of it, and the moment at which it was handed over. It is written straight into the ring. */
#include <CGlassesPlugin.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RATE = 16000, BLOCK = RATE / 50, WIDTH = 720, HEIGHT = 1280, FRAME = WIDTH * HEIGHT * 3 / 2 };
enum { BLOCK_WORDS = BLOCK * 2 / 8, FRAME_WORDS = FRAME / 8 };

#define FACTS                                                                                                                \
    "{\"name\":\"Benchmark device\",\"device\":{\"id\":\"bench\",\"modelName\":\"Bench\",\"firmwareVersion\":\"\","          \
    "\"deviceType\":\"unknown\",\"vendor\":\"extentos\"},\"capabilities\":{\"camera\":true,\"microphone\":true,"             \
    "\"speaker\":false,\"display\":false},\"microphoneRate\":16000,\"camera\":{\"formats\":[{\"format\":\"i420\","           \
    "\"width\":720,\"height\":1280,\"frameRates\":[30,500]}]}}"

typedef struct instance {
    glasses_transport table;
    const glasses_transport_host *host;
    int32_t is_connected;
    pthread_t microphone, camera;
    glasses_ring *ring;
    glasses_video_ring *video;
    int64_t frame_ns;
    uint64_t frames;
    int32_t must_stop; /* atomic; the threads of both streams */
} instance;

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void sleep_until(int64_t moment) {
    struct timespec time = {moment / 1000000000, moment % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
}

static void signal_fd(int32_t fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

/* New content for every seed; returns its sum. */
static uint64_t fill(uint64_t *words, size_t count, uint64_t seed) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        words[i] = (seed + 1) * (2 * i + 1) * 0x9e3779b97f4a7c15u;
        sum += words[i];
    }
    return sum;
}

static void *run_microphone(void *pointer) {
    instance *self = pointer;
    uint64_t words[BLOCK_WORDS];
    int64_t due = now_ns();
    for (uint64_t number = 0; !__atomic_load_n(&self->must_stop, __ATOMIC_ACQUIRE); number++) {
        words[1] = fill(words + 2, BLOCK_WORDS - 2, number);
        int64_t now = now_ns();
        memcpy(words, &now, sizeof now);
        glasses_ring_write(self->ring, self->ring->capacity, (const int16_t *)words, BLOCK, now);
        signal_fd(self->ring->wake_fd);
        sleep_until(due += 20000000);
    }
    return NULL;
}

static void expose(instance *self) {
    int32_t slot = glasses_video_ring_begin(self->video);
    uint64_t number = self->frames++;
    if (slot < 0) return;
    uint64_t *words = (void *)glasses_video_ring_data(self->video, self->video->slot_bytes, (uint32_t)slot);
    words[FRAME_WORDS - 1] = fill(words, FRAME_WORDS - 1, number);
    glasses_frame frame = {
        .t_ns = now_ns(), .number = number, .format = GLASSES_PIXELS_I420, .width = WIDTH, .height = HEIGHT, .bytes = FRAME,
        .plane_count = 3, .planes = {{0, WIDTH}, {WIDTH * HEIGHT, WIDTH / 2}, {WIDTH * HEIGHT * 5 / 4, WIDTH / 2}}};
    glasses_video_ring_commit(self->video, (uint32_t)slot, &frame);
    signal_fd(self->video->wake_fd);
}

static void *run_camera(void *pointer) {
    instance *self = pointer;
    int64_t due = now_ns();
    while (!__atomic_load_n(&self->must_stop, __ATOMIC_ACQUIRE)) {
        sleep_until(due += self->frame_ns);
        expose(self);
    }
    return NULL;
}

static void done(instance *self, glasses_request_id id) { self->host->on_completed(self->host->ctx, id, GLASSES_OK, NULL); }

static void end_streams(instance *self) {
    __atomic_store_n(&self->must_stop, 1, __ATOMIC_RELEASE);
    if (self->ring) pthread_join(self->microphone, NULL);
    if (self->video) pthread_join(self->camera, NULL);
    self->ring = NULL;
    self->video = NULL;
    self->must_stop = 0;
}

static glasses_result activate(void *self) {
    (void)self;
    return GLASSES_OK;
}

static glasses_result describe(void *self, char *buffer, size_t capacity, size_t *length) {
    (void)self;
    *length = strlen(FACTS);
    if (capacity <= *length) return GLASSES_ERROR_TOO_LARGE;
    memcpy(buffer, FACTS, *length + 1);
    return GLASSES_OK;
}

static glasses_result connect_device(void *pointer, glasses_request_id id, const char *device) {
    instance *self = pointer;
    (void)device;
    if (self->is_connected) return GLASSES_ERROR_STATE;
    self->is_connected = 1;
    self->host->on_state(self->host->ctx, GLASSES_DEVICE_CONNECTED, NULL);
    done(self, id);
    return GLASSES_OK;
}

static glasses_result disconnect_device(void *pointer, glasses_request_id id) {
    instance *self = pointer;
    if (!self->is_connected) return GLASSES_ERROR_STATE;
    end_streams(self);
    self->is_connected = 0;
    self->host->on_state(self->host->ctx, GLASSES_DEVICE_DISCONNECTED, "{\"cause\":\"user_requested\"}");
    done(self, id);
    return GLASSES_OK;
}

static glasses_result start_microphone(void *pointer, glasses_request_id id, glasses_ring *ring) {
    instance *self = pointer;
    if (!self->is_connected || self->ring || self->video) return GLASSES_ERROR_STATE;
    self->ring = ring;
    if (pthread_create(&self->microphone, NULL, run_microphone, self) != 0) self->ring = NULL;
    if (!self->ring) return GLASSES_ERROR_FAILED;
    done(self, id);
    return GLASSES_OK;
}

static glasses_result start_camera(
    void *pointer, glasses_request_id id, const char *configuration, glasses_video_ring *ring) {
    instance *self = pointer;
    const char *rate = strstr(configuration, "\"frameRate\":");
    if (!self->is_connected || self->ring || self->video) return GLASSES_ERROR_STATE;
    if (!rate || atoi(rate + 12) <= 0) return GLASSES_ERROR_INVALID;
    self->video = ring;
    self->frame_ns = 1000000000 / atoi(rate + 12);
    expose(self);
    if (pthread_create(&self->camera, NULL, run_camera, self) != 0) self->video = NULL;
    if (!self->video) return GLASSES_ERROR_FAILED;
    done(self, id);
    return GLASSES_OK;
}

static glasses_result stop(void *pointer, glasses_request_id id) {
    end_streams(pointer);
    done(pointer, id);
    return GLASSES_OK;
}

static glasses_result attach(void *self, const glasses_camera_host *host) {
    (void)self, (void)host;
    return GLASSES_OK;
}

static glasses_result take_photo(void *self, glasses_request_id id) {
    (void)self, (void)id;
    return GLASSES_ERROR_UNSUPPORTED;
}

static const void *get_extension(void *self, const char *id) {
    static const glasses_microphone microphone = {sizeof microphone, 0, start_microphone, stop};
    static const glasses_camera camera = {sizeof camera, 0, attach, start_camera, stop, take_photo};
    (void)self;
    if (strcmp(id, GLASSES_EXT_MICROPHONE) == 0) return &microphone;
    return strcmp(id, GLASSES_EXT_CAMERA) == 0 ? &camera : NULL;
}

static void destroy(void *pointer) {
    end_streams(pointer);
    free(pointer);
}

static glasses_result create(
    const glasses_transport_host *host, const char *settings, const glasses_transport **transport) {
    (void)settings;
    if (host->size < sizeof *host) return GLASSES_ERROR_VERSION;
    instance *self = calloc(1, sizeof *self);
    if (!self) return GLASSES_ERROR_FAILED;
    self->host = host;
    self->table = (glasses_transport){
        sizeof self->table, 0, self, activate, describe, get_extension, connect_device, disconnect_device, destroy};
    *transport = &self->table;
    return GLASSES_OK;
}

static glasses_result activate_plugin(const glasses_host *host) {
    return host->abi_major == GLASSES_ABI_MAJOR && host->size >= sizeof *host ? GLASSES_OK : GLASSES_ERROR_VERSION;
}

static void shutdown_plugin(void) {}

static const void *get_factory(const char *id) {
    static const glasses_transport_factory factory = {sizeof factory, 0, create};
    return strcmp(id, GLASSES_FACTORY_TRANSPORT) == 0 ? &factory : NULL;
}

const glasses_entry *glasses_plugin_entry(void) {
    static const glasses_entry entry = {
        sizeof entry, GLASSES_ENTRY_MAGIC, GLASSES_ABI_MAJOR, GLASSES_ABI_MINOR, activate_plugin, shutdown_plugin, get_factory};
    return &entry;
}
