/* A camera and a display. */
#ifndef BROKEN_PICTURES_H
#define BROKEN_PICTURES_H

#include "transport_state.h"

/* Fills slot `index` with frame `number`. */
static void expose(camera *c, uint32_t index, uint64_t number) {
    uint32_t slot_bytes = c->ring->slot_bytes;
    glasses_frame frame = {
        .t_ns = IS(SAME_TIME) ? 4711 : now_ns(CLOCK_MONOTONIC), .number = IS(SAME_NUMBER) ? 7 : number,
        .format = IS(OTHER_FORMAT) ? GLASSES_PIXELS_NV12 : GLASSES_PIXELS_I420, .width = IS(OTHER_SIZE) ? WIDTH / 2 : WIDTH,
        .height = HEIGHT, .bytes = FRAME, .plane_count = IS(OTHER_FORMAT) ? 2 : 3,
        .planes = {{0, IS(NARROW_STRIDE) ? WIDTH / 2 : WIDTH}, {WIDTH * HEIGHT, IS(OTHER_FORMAT) ? WIDTH : WIDTH / 2},
                   {IS(PLANE_OUTSIDE) ? FRAME : WIDTH * HEIGHT * 5 / 4, WIDTH / 2}}};
    memset(glasses_video_ring_data(c->ring, slot_bytes, index), (int)number, FRAME);
    glasses_video_ring_commit(c->ring, index, &frame);
}

/* Overwrites the frame that the host is reading. */
static void scribble(camera *c, uint64_t number) {
    for (uint32_t index = 0; index < GLASSES_VIDEO_SLOTS; index++) {
        if (__atomic_load_n(&c->ring->slots[index].state, __ATOMIC_ACQUIRE) != GLASSES_SLOT_READING) continue;
        memset(glasses_video_ring_data(c->ring, c->ring->slot_bytes, index), (int)number, FRAME);
    }
}

static int is_full(const camera *c) {
    for (uint32_t index = 0; index < GLASSES_VIDEO_SLOTS; index++) {
        if (__atomic_load_n(&c->ring->slots[index].state, __ATOMIC_ACQUIRE) == GLASSES_SLOT_FREE) return 0;
    }
    return 1;
}

static void *run_camera(void *pointer) {
    camera *c = pointer;
    for (uint64_t number = 1; !__atomic_load_n(&c->must_stop, __ATOMIC_ACQUIRE); number++) {
        pause_ms(IS(TOO_MANY_FRAMES) ? 2 : FRAME_MS);
        IF(KEEPS_OLDEST) if (is_full(c)) continue;
        int32_t index = glasses_video_ring_begin(c->ring);
        if (index >= 0) expose(c, (uint32_t)index, number);
        IF(WRITES_READ_SLOT) scribble(c, number);
        IF(WRITES_PAST_SLOTS) *glasses_video_ring_data(c->ring, c->ring->slot_bytes, GLASSES_VIDEO_SLOTS) = 1;
        if (!IS(CAMERA_FORGETS_WAKE)) signal_fd(c->ring->wake_fd);
    }
    return NULL;
}

static void end_camera(camera *c) {
    if (!c->is_running) return;
    __atomic_store_n(&c->must_stop, 1, __ATOMIC_RELEASE);
    pthread_join(c->thread, NULL);
    c->is_running = 0;
}

static glasses_result attach_camera(void *pointer, const glasses_camera_host *host) {
    ((transport *)pointer)->camera.host = host;
    return GLASSES_OK;
}

static glasses_result start_camera(
    void *pointer, glasses_request_id id, const char *configuration, glasses_video_ring *ring) {
    transport *self = pointer;
    camera *c = &self->camera;
    if (!self->is_connected && !IS(CAMERA_UNCONNECTED)) return GLASSES_ERROR_STATE;
    if (c->is_running && !IS(CAMERA_TWICE)) return GLASSES_ERROR_STATE;
    if (!strstr(configuration, "\"i420\"") && !IS(ANY_CONFIGURATION)) return GLASSES_ERROR_INVALID;
    IF(CAMERA_ONCE) if (c->starts > 0) return GLASSES_ERROR_FAILED;
    IF(LEAKS_PER_STREAM) leak();
    end_camera(c);
    c->starts++;
    c->ring = ring;
    c->must_stop = 0;
    IF(NO_FIRST_FRAME) {
        done(self, id, GLASSES_OK);
        return GLASSES_OK;
    }
    expose(c, (uint32_t)glasses_video_ring_begin(ring), 0);
    if (!IS(CAMERA_FORGETS_WAKE)) signal_fd(ring->wake_fd);
    c->is_running = pthread_create(&c->thread, NULL, run_camera, c) == 0;
    done(self, id, c->is_running ? GLASSES_OK : GLASSES_ERROR_FAILED);
    return GLASSES_OK;
}

static glasses_result stop_camera(void *pointer, glasses_request_id id) {
    transport *self = pointer;
    if (!IS(CAMERA_TOUCHES_AFTER_STOP)) end_camera(&self->camera);
    done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static glasses_result take_photo(void *pointer, glasses_request_id id) {
    static const uint8_t jpeg[] = {0xff, 0xd8, 0xff, 0xd9}, other[] = {1, 2, 3, 4};
    transport *self = pointer;
    const glasses_camera_host *host = self->camera.host;
    const char *facts = "{\"format\":\"jpeg\",\"width\":64,\"height\":48}";
    if (!IS(NO_PHOTO)) host->on_photo(host->ctx, id, IS(PHOTO_NO_JPEG) ? other : jpeg, sizeof jpeg, facts);
    done(self, id, GLASSES_OK);
    IF(PHOTO_ENDS_TWICE) done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static glasses_result attach_display(void *pointer, const glasses_display_host *host) {
    (void)pointer, (void)host;
    return GLASSES_OK;
}

static glasses_result show_tree(void *pointer, glasses_request_id id, const char *tree, size_t length) {
    transport *self = pointer;
    if (!self->is_connected && !IS(SHOWS_UNCONNECTED)) return GLASSES_ERROR_STATE;
    if (length > GLASSES_DISPLAY_TREE_MAX && !IS(NO_TREE_LIMIT)) return GLASSES_ERROR_TOO_LARGE;
    IF(STRICT_TREE) if (memmem(tree, length, "org.example", 11)) return GLASSES_ERROR_INVALID;
    if ((length < 2 || *tree != '{') && !IS(ANY_TREE)) return GLASSES_ERROR_INVALID;
    IF(NEVER_SHOWS) return GLASSES_OK;
    done(self, id, GLASSES_OK);
    IF(SHOWS_TWICE) done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static glasses_result clear_display(void *self, glasses_request_id id) {
    if (!IS(NEVER_CLEARS)) done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

#endif
