/* What a transport and its streams are made of. */
#ifndef BROKEN_TRANSPORT_STATE_H
#define BROKEN_TRANSPORT_STATE_H

#include "faults.h"

enum { RATE = 16000, TICK_MS = 10, TICK = RATE * TICK_MS / 1000 };

typedef struct stream {
    pthread_t thread;
    glasses_ring *ring;
    int is_running, must_stop, is_speaker, starts;
    const glasses_transport_host *host;
    uint64_t flush_id; /* atomic */
    int64_t flush_upto;
} stream;

enum { WIDTH = 64, HEIGHT = 48, FRAME = WIDTH * HEIGHT * 3 / 2, FRAME_MS = 17 };

typedef struct camera {
    pthread_t thread;
    glasses_video_ring *ring;
    const glasses_camera_host *host;
    int is_running, must_stop, starts;
} camera;

typedef struct transport {
    glasses_transport table;
    const glasses_transport_host *host;
    int is_active, is_connected, connects;
    stream microphone, speaker;
    camera camera;
    const glasses_registration_host *registration_host;
    const glasses_power_host *power_host;
    const glasses_input_host *input_host;
} transport;

static const glasses_transport_host *last_host;

static void done(transport *self, glasses_request_id id, glasses_result result) {
    const glasses_transport_host *host = IS(LAST_INSTANCE) ? last_host : self->host;
    host->on_completed(host->ctx, id, result, NULL);
}

#endif
