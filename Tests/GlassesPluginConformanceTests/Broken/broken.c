/* A plugin that keeps the whole ABI, or breaks one promise: -DBREAK=NAME -DBREAK_NAME chooses which, -DKIND_TRANSPORT,
 * -DKIND_STT, -DKIND_TTS or -DKIND_VAD what it is. Every break is one line that begins with IF(NAME). */
#include <CGlassesPlugin.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <settings.h> /* of the loopback transport: a JSON reader is needed, and is not what is tested here */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum fault {
    INTACT,
    /* entry and file */
    EXTRA_SYMBOL, OFFERS_UNNAMED, NO_ENTRY, NULL_ENTRY, ABORTS_ON_LOAD, EXITS_ON_LOAD, HANGS_ON_LOAD, WRONG_MAGIC, SMALL_ENTRY,
    NULL_SHUTDOWN, OTHER_ABI, MOVING_ENTRY, REFUSES_TO_ACTIVATE, CRASHES_ON_ACTIVATE, HANGS_ON_ACTIVATE, OPENS_DEVICE,
    REFUSES_NEWER_HOST, ACCEPTS_OTHER_MAJOR, IGNORES_HOST_SIZE, NEEDS_LOG, PREFIX_FACTORY, SMALL_FACTORY, LEAVES_THREAD,
    HANGS_ON_SHUTDOWN,
    /* instances */
    NULL_FUNCTION, SMALL_TABLE, NO_INSTANCE, CRASHES_IN_CREATE, STRICT_SETTINGS, SHORT_SETTINGS, RECURSES_SETTINGS,
    ANY_SETTINGS, REFUSES_NEWER_CALLBACKS, IGNORES_CALLBACKS_SIZE, FAILS_TO_ACTIVATE, HANGS_IN_INSTANCE, NOT_JSON, NO_RATE,
    WRONG_LENGTH, OVERRUNS_BUFFER, CHANGING_FACTS, SLOW_DESTROY, CALLS_AFTER_DESTROY, CRASHES_EARLY, SHARED_LIFE,
    LEAKS_INSTANCE, LEAKS_DESCRIPTOR, LAST_INSTANCE, UNLISTED_CAPABILITY /* of the manifest: the code is intact */,
    /* transport */
    MISSING_EXTENSION, SMALL_EXTENSION, ANY_EXTENSION, NEVER_CONNECTS, CRASHES_IN_CONNECT, HANGS_IN_CONNECT, SILENT_CONNECT,
    NEVER_DISCONNECTS, NO_CAUSE, CONNECTS_ONCE, ANY_DEVICE, LEAKS_PER_CONNECT, COMPLETES_TWICE, ENDS_REFUSED, SLOW_CONNECT,
    UNKNOWN_STATE, EVENT_NOT_JSON, EVENT_NOT_UTF8, EVENT_TOO_LONG, CALLS_FROM_AUDIO, SLOW_DESTROY_CONNECTED, FORGETS_PENDING,
    /* streams */
    NEVER_STARTS, STARTS_UNCONNECTED, STARTS_TWICE, STARTS_AFTER_DISCONNECT, TOUCHES_AFTER_STOP, NEVER_STOPS, STARTS_ONCE,
    DISCONNECT_KEEPS_STREAM, DESTROY_KEEPS_STREAM, LEAKS_PER_START, NO_SAMPLES, LONG_BLOCKS, NO_TIMES, WALL_CLOCK, FAST_TIMES,
    FORGETS_WAKE, OVERWRITES, FORGETS_DROPPED, WRITES_PAST_END, CHANGES_RATE,
    NEVER_PLAYS, AHEAD, PLAYS_TOO_FAST, REPORTS_RARELY, COUNTS_SILENCE, CHANGES_SAMPLES, IGNORES_FLUSH, FLUSH_KEEPS_SOUND,
    FLUSH_ON_HOST_ONLY, FIRST_FLUSH_WINS, MUTE_AFTER_FLUSH,
    /* engines */
    NO_LANGUAGES, FAILS, ENDS_TWICE, CALLS_AFTER_END, NEWEST_FIRST, TEXT_NOT_UTF8, WILD_CONFIDENCE, UNKNOWN_RESULT,
    KEEPS_POINTER, SLOW_CALL, NO_LIMIT, LOW_LIMIT, NO_AUDIO_LIMIT, LOW_AUDIO_LIMIT, ANSWERS_GONE, CANCEL_IS_OK, FORGETS_OPEN,
    LEAKS_REQUEST, ONE_THREAD_ONLY, NO_AUDIO, STRICT_OPTIONS, ANY_OPTIONS, NO_TEXT_LIMIT, IGNORES_REFUSAL,
    NO_JUDGEMENTS, GAPS, WILD_PROBABILITY, IGNORES_RESET, JUDGES_AFTER_END,
};
#ifndef BREAK
#define BREAK INTACT
#endif
#define IF(fault) if (BREAK == (fault))
#define IS(fault) (BREAK == (fault))

static void hang(void) { for (;;) pause(); }
static void crash(void) { *(volatile int *)0 = 1; }
static void pause_ms(int64_t ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) {
    }
}
static int64_t now_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
static void signal_fd(int32_t fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}
static void leak(void) { memset(malloc(65536), 1, 65536); }

static int32_t device_fd = -1;
static int instances_ended;
static pthread_t host_thread;

static int recurse(const char *text) {
    volatile char frame[2048];
    frame[0] = *text;
    return *text == '[' ? recurse(text + 1) + frame[0] : 0;
}

/* What create of every kind does with its arguments. */
static glasses_result check_creation(uint32_t size, uint32_t known, const char *text) {
    settings ignored;
    IF(CRASHES_IN_CREATE) crash();
    IF(REFUSES_NEWER_CALLBACKS) if (size != known) return GLASSES_ERROR_VERSION;
    if (size < known && !IS(IGNORES_CALLBACKS_SIZE)) return GLASSES_ERROR_VERSION;
    IF(STRICT_SETTINGS) if (strstr(text, "unknown") && strlen(text) < 4096) return GLASSES_ERROR_INVALID;
    IF(SHORT_SETTINGS) if (strlen(text) > 4096) return GLASSES_ERROR_INVALID;
    IF(RECURSES_SETTINGS) if (strstr(text, "[[")) recurse(strstr(text, "[["));
    if (settings_read(text, &ignored) != 0 && !IS(ANY_SETTINGS)) return GLASSES_ERROR_INVALID;
    IF(LEAKS_INSTANCE) leak();
    IF(LEAKS_DESCRIPTOR) eventfd(0, 0);
    host_thread = pthread_self();
    return GLASSES_OK;
}

static glasses_result activate_instance(void) {
    IF(HANGS_IN_INSTANCE) hang();
    IF(FAILS_TO_ACTIVATE) return GLASSES_ERROR_FAILED;
    instances_ended = 0;
    return GLASSES_OK;
}

static glasses_result describe_as(const char *facts, char *buffer, size_t capacity, size_t *length) {
    static int calls;
    char text[1024];
    IF(SHARED_LIFE) if (instances_ended) return GLASSES_ERROR_STATE;
    snprintf(text, sizeof text, "%s,\"calls\":%d}", IS(NOT_JSON) ? "{nonsense" : facts, IS(CHANGING_FACTS) ? calls++ % 10 : 0);
    *length = strlen(text) + (IS(WRONG_LENGTH) && capacity < 100 ? 7 : 0);
    if (IS(OVERRUNS_BUFFER) || capacity > strlen(text)) strcpy(buffer, text);
    return capacity > strlen(text) ? GLASSES_OK : GLASSES_ERROR_TOO_LARGE;
}

/* MARK: transport */

#ifdef KIND_TRANSPORT
enum { RATE = 16000, TICK_MS = 10, TICK = RATE * TICK_MS / 1000 };

typedef struct stream {
    pthread_t thread;
    glasses_ring *ring;
    int is_running, must_stop, is_speaker, starts;
    const glasses_transport_host *host;
    uint64_t flush_id; /* atomic */
    int64_t flush_upto;
} stream;

typedef struct transport {
    glasses_transport table;
    const glasses_transport_host *host;
    int is_active, is_connected, connects;
    stream microphone, speaker;
} transport;

static const glasses_transport_host *last_host;

static void done(transport *self, glasses_request_id id, glasses_result result) {
    const glasses_transport_host *host = IS(LAST_INSTANCE) ? last_host : self->host;
    host->on_completed(host->ctx, id, result, NULL);
}

static void capture(stream *s, int64_t tick, int64_t start) {
    static int16_t block[10 * TICK];
    static int full_ticks;
    uint32_t count = TICK;
    int64_t time = start + tick * TICK_MS * 1000000;
    IF(NO_SAMPLES) return;
    IF(LONG_BLOCKS) {
        if (tick % 10 != 9) return;
        count = 10 * TICK;
        time -= 9 * TICK_MS * 1000000;
    }
    IF(NO_TIMES) time = 0;
    IF(WALL_CLOCK) time += now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
    IF(FAST_TIMES) time = start + tick * TICK_MS * 500000;
    IF(CALLS_FROM_AUDIO) if (tick == 0) s->host->on_event(s->host->ctx, "{\"event\":\"hello\"}");
    IF(CHANGES_RATE) s->ring->sample_rate = 1;
    uint32_t taken = glasses_ring_write(s->ring, s->ring->capacity, block, count, time);
    full_ticks = taken < count ? full_ticks + 1 : 0;
    IF(OVERWRITES) if (full_ticks > 20) s->ring->write_position += TICK;
    if (taken < count && !IS(FORGETS_DROPPED)) glasses_ring_add(&s->ring->dropped, count - taken);
    IF(WRITES_PAST_END) glasses_ring_samples(s->ring)[s->ring->capacity] = 1;
    if (!IS(FORGETS_WAKE)) signal_fd(s->ring->wake_fd);
}

static void play(stream *s, int64_t tick, glasses_playback *playback) {
    int16_t block[TICK];
    uint64_t flush = __atomic_load_n(&s->flush_id, __ATOMIC_ACQUIRE);
    int64_t position = s->ring->read_position;
    int rounds = IS(PLAYS_TOO_FAST) ? 10 : 1;
    IF(NEVER_PLAYS) rounds = 0;
    if (flush != playback->flush_id && !IS(IGNORES_FLUSH)) {
        playback->flush_id = flush;
        playback->flushed_position = position;
        if (!IS(FLUSH_KEEPS_SOUND)) glasses_ring_skip(s->ring, s->flush_upto);
    } else if (!(IS(MUTE_AFTER_FLUSH) && flush != 0)) {
        for (; rounds > 0; rounds--) {
            uint32_t count = glasses_ring_read(s->ring, s->ring->capacity, block, TICK);
            IF(CHANGES_SAMPLES) if (count > 0) memset(glasses_ring_samples(s->ring), 0, 64);
            playback->is_advancing = count > 0;
        }
    }
    uint32_t rest = glasses_ring_readable(s->ring, s->ring->capacity);
    static int64_t silence;
    IF(COUNTS_SILENCE) if (rest == 0) silence += TICK;
    playback->played_position = s->ring->read_position + (IS(AHEAD) && rest > 1000 ? 1000 : 0) + silence;
    playback->played_t_ns = now_ns(CLOCK_MONOTONIC);
    IF(REPORTS_RARELY) if (tick % 20 != 0) return;
    glasses_ring_publish(s->ring, playback);
    signal_fd(s->ring->wake_fd);
}

static void *run_stream(void *argument) {
    stream *s = argument;
    glasses_playback playback = {.flush_id = s->flush_id};
    int64_t start = now_ns(CLOCK_MONOTONIC);
    for (int64_t tick = 0; !__atomic_load_n(&s->must_stop, __ATOMIC_ACQUIRE); tick++) {
        int64_t due = start + (tick + 1) * TICK_MS * 1000000;
        int64_t late = now_ns(CLOCK_MONOTONIC) - due;
        if (late < 0) pause_ms(-late / 1000000 + 1);
        if (s->is_speaker) play(s, tick, &playback); else capture(s, tick, start);
    }
    return NULL;
}

static void end_stream(stream *s) {
    if (!s->is_running) return;
    __atomic_store_n(&s->must_stop, 1, __ATOMIC_RELEASE);
    pthread_join(s->thread, NULL);
    s->is_running = 0;
}

static glasses_result start_stream(transport *self, stream *s, glasses_request_id id, glasses_ring *ring) {
    int may = self->is_connected || (IS(STARTS_UNCONNECTED) && self->connects == 0)
        || (IS(STARTS_AFTER_DISCONNECT) && self->connects > 0);
    if (!may || (s->is_running && !IS(STARTS_TWICE))) return GLASSES_ERROR_STATE;
    IF(STARTS_ONCE) if (s->starts > 0) return GLASSES_ERROR_FAILED;
    IF(LEAKS_PER_START) leak();
    IF(NEVER_STARTS) return GLASSES_OK;
    end_stream(s);
    s->starts++;
    s->ring = ring;
    s->must_stop = 0;
    s->is_running = pthread_create(&s->thread, NULL, run_stream, s) == 0;
    done(self, id, s->is_running ? GLASSES_OK : GLASSES_ERROR_FAILED);
    return GLASSES_OK;
}

static glasses_result stop_stream(transport *self, stream *s, glasses_request_id id) {
    IF(NEVER_STOPS) return GLASSES_OK;
    IF(TOUCHES_AFTER_STOP) {
        done(self, id, GLASSES_OK);
        return GLASSES_OK;
    }
    end_stream(s);
    done(self, id, GLASSES_OK);
    return GLASSES_OK;
}

static glasses_result start_microphone(void *self, glasses_request_id id, glasses_ring *ring) {
    return start_stream(self, &((transport *)self)->microphone, id, ring);
}
static glasses_result stop_microphone(void *self, glasses_request_id id) {
    return stop_stream(self, &((transport *)self)->microphone, id);
}
static glasses_result start_speaker(void *self, glasses_request_id id, glasses_ring *ring) {
    return start_stream(self, &((transport *)self)->speaker, id, ring);
}
static glasses_result stop_speaker(void *self, glasses_request_id id) {
    return stop_stream(self, &((transport *)self)->speaker, id);
}
static glasses_result flush_speaker(void *self, uint64_t flush, int64_t upto) {
    stream *s = &((transport *)self)->speaker;
    IF(FLUSH_ON_HOST_ONLY) if (!pthread_equal(pthread_self(), host_thread)) return GLASSES_ERROR_STATE;
    IF(FIRST_FLUSH_WINS) if (s->flush_id != 0) return GLASSES_OK;
    s->flush_upto = upto;
    __atomic_store_n(&s->flush_id, flush, __ATOMIC_RELEASE);
    return GLASSES_OK;
}

static glasses_result activate(void *self) {
    glasses_result result = activate_instance();
    ((transport *)self)->is_active = 1;
    return result;
}

static glasses_result describe(void *self, char *buffer, size_t capacity, size_t *length) {
    (void)self;
    char facts[512];
    snprintf(
        facts, sizeof facts,
        "{\"name\":\"Broken\",\"device\":{\"id\":\"b\",\"modelName\":\"B\",\"firmwareVersion\":\"\",\"deviceType\":\"unknown\","
        "\"vendor\":\"v\"},\"capabilities\":{\"camera\":false,\"microphone\":true,\"speaker\":true,\"display\":false},%s"
        "\"speakerRate\":16000", IS(NO_RATE) ? "" : "\"microphoneRate\":16000,");
    return describe_as(facts, buffer, capacity, length);
}

static const void *get_extension(void *self, const char *id) {
    static const glasses_microphone microphone = {
        IS(SMALL_EXTENSION) ? 8 : sizeof microphone, 0, start_microphone, stop_microphone};
    static const glasses_speaker speaker = {sizeof speaker, 0, start_speaker, flush_speaker, stop_speaker};
    (void)self;
    IF(MISSING_EXTENSION) return NULL;
    IF(ANY_EXTENSION) if (strncmp(id, "glasses.microphone", 18) == 0) return &microphone;
    if (strcmp(id, GLASSES_EXT_MICROPHONE) == 0) return &microphone;
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

/* MARK: engines */

#if defined KIND_STT || defined KIND_TTS
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

/* MARK: voice activity */

#ifdef KIND_VAD
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
    IF(ANSWERS_GONE) result = GLASSES_OK;
    if (stream && stream->pushed - stream->judged + count > limit) result = GLASSES_ERROR_BUSY;
    if (stream && result == GLASSES_OK) {
        stream->kept = samples - stream->pushed;
        stream->pushed += count;
    }
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
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

/* MARK: entry */

#if defined BREAK_ABORTS_ON_LOAD || defined BREAK_EXITS_ON_LOAD || defined BREAK_HANGS_ON_LOAD
__attribute__((constructor)) static void load(void) {
    IF(ABORTS_ON_LOAD) abort();
    IF(EXITS_ON_LOAD) _exit(0);
    hang();
}
#endif
#ifdef BREAK_EXTRA_SYMBOL
__attribute__((visibility("default"))) int broken_extra_symbol;
#endif

static void *wait_forever(void *ignored) { hang(); return ignored; }

static glasses_result activate_plugin(const glasses_host *host) {
    pthread_t thread;
    IF(REFUSES_TO_ACTIVATE) return GLASSES_ERROR_UNAVAILABLE;
    IF(CRASHES_ON_ACTIVATE) crash();
    IF(HANGS_ON_ACTIVATE) hang();
    if (host->abi_major != GLASSES_ABI_MAJOR && !IS(ACCEPTS_OTHER_MAJOR)) return GLASSES_ERROR_VERSION;
    IF(REFUSES_NEWER_HOST) if (host->abi_minor > GLASSES_ABI_MINOR) return GLASSES_ERROR_VERSION;
    if (host->size < sizeof *host && !IS(IGNORES_HOST_SIZE)) return GLASSES_ERROR_VERSION;
    const glasses_host_log *log = host->get_extension(host, GLASSES_EXT_LOG);
    if (log || IS(NEEDS_LOG)) log->log(host, GLASSES_LOG_INFO, "hello");
    IF(OPENS_DEVICE) device_fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    IF(LEAVES_THREAD) if (pthread_create(&thread, NULL, wait_forever, NULL) == 0) pthread_detach(thread);
    return GLASSES_OK;
}

static void shutdown_plugin(void) {
    IF(HANGS_ON_SHUTDOWN) hang();
    if (device_fd >= 0) close(device_fd);
}

static const void *get_factory(const char *id) {
    IF(PREFIX_FACTORY) if (strncmp(id, FACTORY_ID, strlen(FACTORY_ID)) == 0) return &FACTORY;
    IF(OFFERS_UNNAMED) if (strcmp(id, "glasses.brain/1") == 0) return &FACTORY;
    return strcmp(id, FACTORY_ID) == 0 ? &FACTORY : NULL;
}

static const glasses_entry ENTRY = {
    IS(SMALL_ENTRY) ? 16 : sizeof ENTRY, IS(WRONG_MAGIC) ? 7 : GLASSES_ENTRY_MAGIC, IS(OTHER_ABI) ? 2 : GLASSES_ABI_MAJOR,
    GLASSES_ABI_MINOR, activate_plugin, IS(NULL_SHUTDOWN) ? NULL : shutdown_plugin, get_factory};
#ifndef BREAK_NO_ENTRY
const glasses_entry *glasses_plugin_entry(void) {
    static glasses_entry copy;
    static int calls;
    IF(MOVING_ENTRY) if (calls++ % 2 == 1) { copy = ENTRY; return &copy; }
    return IS(NULL_ENTRY) ? NULL : &ENTRY;
}
#endif
