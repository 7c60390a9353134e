/* A detector of voice activity. */
#ifndef BROKEN_DETECTOR_H
#define BROKEN_DETECTOR_H

#include "faults.h"

enum { VAD_RATE = 16000, PIECE = 512, OPEN_MAX = 8, WAITING_MAX = 2 * VAD_RATE };

/* A stream: its frames are judged in pieces of 32 ms by the engine's thread. */
typedef struct activity {
    glasses_request_id id;
    uint64_t judged, pushed;
    const int16_t *kept;
} activity;

typedef struct detector {
    glasses_vad table;
    const glasses_vad_host *host;
    pthread_mutex_t lock; /* guards what is below */
    pthread_cond_t changed;
    pthread_t thread;
    activity streams[64];
    int count, is_running, must_stop;
} detector;
static const glasses_vad_host *last_detector_host;

/* The stream named id, or null. */
static activity *find(detector *self, glasses_request_id id) {
    for (int i = 0; i < self->count; i++) if (self->streams[i].id == id) return &self->streams[i];
    return NULL;
}

/* A stream with a whole piece, or null. */
static activity *waiting(detector *self) {
    for (int i = 0; i < self->count; i++) {
        if (self->streams[i].pushed - self->streams[i].judged >= PIECE) return &self->streams[i];
    }
    return NULL;
}

static void *run_detector(void *pointer) {
    detector *self = pointer;
    const glasses_vad_host *host = IS(LAST_INSTANCE) ? last_detector_host : self->host;
    pthread_mutex_lock(&self->lock);
    while (!self->must_stop) {
        activity *next = IS(NO_JUDGEMENTS) ? NULL : waiting(self);
        if (!next) {
            pthread_cond_wait(&self->changed, &self->lock);
            continue;
        }
        activity piece = *next;
        next->judged += PIECE;
        uint64_t first = piece.judged + (IS(GAPS) && piece.judged > 0 ? 1 : 0);
        double probability = IS(WILD_PROBABILITY) ? 1.5 : 0.5;
        pthread_mutex_unlock(&self->lock);
        IF(FORGETS_OPEN) pause_ms(20);
        IF(KEEPS_POINTER) probability += piece.kept[piece.judged] == 4711;
        host->on_activity(host->ctx, piece.id, first, PIECE, probability);
        pthread_mutex_lock(&self->lock);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

static glasses_result activate(void *pointer) {
    detector *self = pointer;
    glasses_result result = activate_instance();
    if (result == GLASSES_OK) self->is_running = pthread_create(&self->thread, NULL, run_detector, self) == 0;
    return result;
}

static glasses_result describe(void *self, char *buffer, size_t capacity, size_t *length) {
    (void)self;
    return describe_as("{\"name\":\"Broken\",\"sampleRate\":16000", buffer, capacity, length);
}

static glasses_result begin(void *pointer, glasses_request_id id) {
    detector *self = pointer;
    int limit = IS(LOW_LIMIT) ? 4 : IS(NO_LIMIT) ? 64 : OPEN_MAX;
    IF(ONE_THREAD_ONLY) if (!pthread_equal(pthread_self(), host_thread)) return GLASSES_ERROR_STATE;
    IF(LEAKS_REQUEST) leak();
    pthread_mutex_lock(&self->lock);
    glasses_result result = self->count < limit ? GLASSES_OK : GLASSES_ERROR_BUSY;
    if (result == GLASSES_OK) self->streams[self->count++] = (activity){.id = id};
    pthread_mutex_unlock(&self->lock);
    return result;
}

static glasses_result push(void *pointer, glasses_request_id id, const int16_t *samples, uint32_t count) {
    detector *self = pointer;
    uint64_t limit = IS(LOW_AUDIO_LIMIT) ? VAD_RATE * 3 / 2 : IS(NO_AUDIO_LIMIT) ? 1000 * VAD_RATE : WAITING_MAX;
    IF(SLOW_CALL) pause_ms(1200);
    pthread_mutex_lock(&self->lock);
    activity *stream = find(self, id);
    glasses_result result = stream ? GLASSES_OK : GLASSES_ERROR_STATE;
    if (stream && stream->pushed - stream->judged + count > limit) result = GLASSES_ERROR_BUSY;
    if (stream && result == GLASSES_OK) {
        stream->kept = samples - stream->pushed;
        stream->pushed += count;
    }
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    IF(ANSWERS_GONE) if (!stream) self->host->on_activity(self->host->ctx, id, 0, count, 0.5);
    return result;
}

static glasses_result reset(void *pointer, glasses_request_id id) {
    detector *self = pointer;
    pthread_mutex_lock(&self->lock);
    activity *stream = find(self, id);
    if (stream && !IS(IGNORES_RESET)) stream->judged = stream->pushed;
    pthread_mutex_unlock(&self->lock);
    return stream ? GLASSES_OK : GLASSES_ERROR_STATE;
}

static glasses_result end(void *pointer, glasses_request_id id) {
    detector *self = pointer;
    pthread_mutex_lock(&self->lock);
    activity *stream = find(self, id);
    if (stream && !IS(JUDGES_AFTER_END)) *stream = self->streams[--self->count];
    pthread_mutex_unlock(&self->lock);
    return stream ? GLASSES_OK : GLASSES_ERROR_STATE;
}

static void destroy(void *pointer) {
    detector *self = pointer;
    instances_ended++;
    IF(FORGETS_OPEN) if (self->count > 0) return;
    pthread_mutex_lock(&self->lock);
    self->must_stop = 1;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (self->is_running) pthread_join(self->thread, NULL);
    free(self);
}

static glasses_result create(const glasses_vad_host *host, const char *text, const glasses_vad **made) {
    glasses_result result = check_creation(host->size, sizeof *host, text);
    if (result != GLASSES_OK) return result;
    detector *self = calloc(1, sizeof *self);
    self->host = last_detector_host = host;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    self->table = (glasses_vad){sizeof self->table, 0, self, activate, describe, begin, push, reset, end, destroy};
    *made = &self->table;
    return GLASSES_OK;
}
static const glasses_vad_factory FACTORY = {sizeof FACTORY, 0, create};
#define FACTORY_ID GLASSES_FACTORY_VAD

#endif
