/* A recogniser, or a synthesiser. */
#ifndef BROKEN_ENGINES_H
#define BROKEN_ENGINES_H

#include "faults.h"

enum { ENGINE_RATE = 16000, SLOTS = 512 };

/* An utterance or a text. */
typedef struct request {
    glasses_request_id id;
    int is_ready, is_text_long;
    int64_t frames;
    const int16_t *kept;
} request;

#ifdef KIND_STT
typedef glasses_stt table_type;
typedef glasses_stt_host host_type;
#define FACTORY_ID GLASSES_FACTORY_STT
#else
typedef glasses_tts table_type;
typedef glasses_tts_host host_type;
#define FACTORY_ID GLASSES_FACTORY_TTS
#endif

typedef struct engine {
    table_type table;
    const host_type *host;
    pthread_mutex_t lock; /* guards what is below */
    pthread_cond_t changed;
    pthread_t thread;
    request requests[SLOTS];
    int count, is_running, must_stop;
} engine;
static const host_type *last_engine_host;

static const host_type *host_of(engine *self) { return IS(LAST_INSTANCE) ? last_engine_host : self->host; }

static void finished(engine *self, const request *r, glasses_result result) {
    const host_type *host = host_of(self);
    const char *text = IS(TEXT_NOT_UTF8) ? "\xff\xfe" : "hello";
    IF(FAILS) result = GLASSES_ERROR_FAILED;
    IF(CANCEL_IS_OK) result = GLASSES_OK;
    for (int times = IS(ENDS_TWICE) ? 2 : 1; times > 0; times--) {
#ifdef KIND_STT
        IF(UNKNOWN_RESULT) if (r->frames == 0 && result == GLASSES_OK) result = -4711;
        host->on_finished(host->ctx, r->id, result, text, IS(WILD_CONFIDENCE) ? 2.5 : 0.5);
        IF(CALLS_AFTER_END) host->on_partial(host->ctx, r->id, "more", 0.5);
#else
        static const int16_t block[160];
        host->on_finished(host->ctx, r->id, result, text);
        IF(CALLS_AFTER_END) if (result == GLASSES_OK) host->on_audio(host->ctx, r->id, block, 160);
#endif
    }
}

/* The request named id, or -1. */
static int find(engine *self, glasses_request_id id) {
    for (int i = 0; i < self->count; i++) if (self->requests[i].id == id) return i;
    return -1;
}

static request take(engine *self, int index) {
    request taken = self->requests[index];
    self->count--;
    memmove(self->requests + index, self->requests + index + 1, (size_t)(self->count - index) * sizeof taken);
    return taken;
}

#ifdef KIND_TTS
/* Delivers one second in blocks; whether the text is still wanted. */
static int deliver(engine *self, const request *r) {
    static const int16_t block[1600];
    int is_wanted = 1;
    for (int i = 0; i < (r->is_text_long ? 10 : 2) && is_wanted && !IS(NO_AUDIO); i++) {
        int refused = host_of(self)->on_audio(host_of(self)->ctx, r->id, block, 1600) != GLASSES_OK;
        pthread_mutex_lock(&self->lock);
        is_wanted = find(self, r->id) >= 0 && !(refused && !IS(IGNORES_REFUSAL));
        pthread_mutex_unlock(&self->lock);
    }
    return is_wanted;
}
#endif

static void *run_engine(void *argument) {
    engine *self = argument;
    pthread_mutex_lock(&self->lock);
    while (!self->must_stop) {
        int index = IS(NEWEST_FIRST) ? self->count - 1 : 0;
        if (self->count == 0 || !self->requests[index].is_ready) {
            pthread_cond_wait(&self->changed, &self->lock);
            continue;
        }
        request r = self->requests[index];
        pthread_mutex_unlock(&self->lock);
        IF(NEWEST_FIRST) pause_ms(30);
        glasses_result result = GLASSES_OK;
        IF(KEEPS_POINTER) if (r.kept && r.kept[r.frames - 1] == 4711) result = GLASSES_ERROR_FAILED;
#ifdef KIND_TTS
        if (!deliver(self, &r)) result = GLASSES_ERROR_CANCELLED;
#endif
        pthread_mutex_lock(&self->lock);
        index = find(self, r.id);
        if (index < 0) continue; /* cancelled meanwhile */
        IF(NEWEST_FIRST) if (index != self->count - 1) continue;
        take(self, index);
        pthread_mutex_unlock(&self->lock);
        finished(self, &r, result);
        pthread_mutex_lock(&self->lock);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

static glasses_result activate(void *pointer) {
    engine *self = pointer;
    glasses_result result = activate_instance();
    if (result == GLASSES_OK) self->is_running = pthread_create(&self->thread, NULL, run_engine, self) == 0;
    return result;
}

static glasses_result describe(void *self, char *buffer, size_t capacity, size_t *length) {
    (void)self;
    char facts[256];
    snprintf(
        facts, sizeof facts, "{\"name\":\"Broken\",\"sampleRate\":16000,%s\"voices\":[\"v\"],\"model\":\"m\"",
        IS(NO_LANGUAGES) ? "" : "\"languages\":[\"en\"],");
    return describe_as(facts, buffer, capacity, length);
}

/* Adds a request; refuses when too many are open. */
static glasses_result add(engine *self, request r, int limit) {
    IF(LOW_LIMIT) limit = limit > 8 ? 16 : 4;
    IF(NO_LIMIT) limit = SLOTS;
    IF(ONE_THREAD_ONLY) if (!pthread_equal(pthread_self(), host_thread)) return GLASSES_ERROR_STATE;
    IF(LEAKS_REQUEST) leak();
    pthread_mutex_lock(&self->lock);
    glasses_result result = self->count < limit ? GLASSES_OK : GLASSES_ERROR_BUSY;
    if (result == GLASSES_OK) self->requests[self->count++] = r;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    return result;
}

static glasses_result cancel(void *pointer, glasses_request_id id) {
    engine *self = pointer;
    pthread_mutex_lock(&self->lock);
    int index = find(self, id);
    request r = {.id = id};
    if (index >= 0) r = take(self, index);
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (index >= 0 || IS(ANSWERS_GONE)) finished(self, &r, GLASSES_ERROR_CANCELLED);
    return GLASSES_OK;
}

static void destroy(void *pointer) {
    engine *self = pointer;
    instances_ended++;
    pthread_mutex_lock(&self->lock);
    int count = self->count;
    self->count = 0;
    self->must_stop = 1;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (self->is_running) pthread_join(self->thread, NULL);
    for (int i = 0; i < count && !IS(FORGETS_OPEN); i++) finished(self, &self->requests[i], GLASSES_ERROR_CANCELLED);
    free(self);
}

static engine *new_engine(const host_type *host) {
    engine *self = calloc(1, sizeof *self);
    self->host = last_engine_host = host;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    return self;
}

#ifdef KIND_STT
static glasses_result begin(void *self, glasses_request_id id) { return add(self, (request){.id = id}, 8); }

static glasses_result push(void *pointer, glasses_request_id id, const int16_t *samples, uint32_t count) {
    engine *self = pointer;
    int64_t limit = (IS(LOW_AUDIO_LIMIT) ? 10 : IS(NO_AUDIO_LIMIT) ? 100000 : 60) * (int64_t)ENGINE_RATE;
    int64_t waiting = count;
    pthread_mutex_lock(&self->lock);
    for (int i = 0; i < self->count; i++) waiting += self->requests[i].frames;
    int index = find(self, id);
    glasses_result result = index < 0 ? GLASSES_ERROR_STATE : waiting > limit ? GLASSES_ERROR_BUSY : GLASSES_OK;
    if (result == GLASSES_OK) {
        self->requests[index].frames += count;
        self->requests[index].kept = samples;
    }
    pthread_mutex_unlock(&self->lock);
    return result;
}

static glasses_result finish(void *pointer, glasses_request_id id) {
    engine *self = pointer;
    IF(SLOW_CALL) pause_ms(1200);
    pthread_mutex_lock(&self->lock);
    int index = find(self, id);
    if (index >= 0) self->requests[index].is_ready = 1;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    return index >= 0 ? GLASSES_OK : GLASSES_ERROR_STATE;
}

static glasses_result create(const host_type *host, const char *text, const table_type **made) {
    glasses_result result = check_creation(host->size, sizeof *host, text);
    if (result != GLASSES_OK) return result;
    engine *self = new_engine(host);
    self->table = (table_type){sizeof self->table, 0, self, activate, describe, begin, push, finish, cancel, destroy};
    *made = &self->table;
    return GLASSES_OK;
}
static const glasses_stt_factory FACTORY = {sizeof FACTORY, 0, create};
#else
static glasses_result speak(void *self, glasses_request_id id, const char *text, const char *options) {
    settings ignored;
    IF(SLOW_CALL) pause_ms(1200);
    IF(STRICT_OPTIONS) if (strstr(options, "unknown")) return GLASSES_ERROR_INVALID;
    if (settings_read(options, &ignored) != 0 && !IS(ANY_OPTIONS)) return GLASSES_ERROR_INVALID;
    if (strlen(text) > GLASSES_MESSAGE_MAX && !IS(NO_TEXT_LIMIT)) return GLASSES_ERROR_TOO_LARGE;
    return add(self, (request){.id = id, .is_ready = 1, .is_text_long = strlen(text) > 100}, 64);
}

static glasses_result create(const host_type *host, const char *text, const table_type **made) {
    glasses_result result = check_creation(host->size, sizeof *host, text);
    if (result != GLASSES_OK) return result;
    engine *self = new_engine(host);
    self->table = (table_type){sizeof self->table, 0, self, activate, describe, speak, cancel, destroy};
    *made = &self->table;
    return GLASSES_OK;
}
static const glasses_tts_factory FACTORY = {sizeof FACTORY, 0, create};
#endif

#endif
