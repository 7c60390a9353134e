/* A microphone and a loudspeaker. */
#ifndef BROKEN_STREAMS_H
#define BROKEN_STREAMS_H

#include "transport_state.h"

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

#endif
