#include "device.h"

#include "descriptors.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { PERIOD_MS = 20 };

static int64_t frame_time(const device *d, int64_t frame) {
    int64_t rate = d->settings.sample_rate;
    return d->start_ns + frame / rate * 1000000000 + frame % rate * 1000000000 / rate;
}

static int64_t frame_at(const device *d, int64_t t_ns) {
    int64_t rate = d->settings.sample_rate;
    int64_t elapsed = t_ns - d->start_ns;
    return elapsed / 1000000000 * rate + elapsed % 1000000000 * rate / 1000000000;
}

/* Fills the loudspeaker's buffer from its ring. */
static void refill(device *d) {
    while (d->buffered < d->latency) {
        uint32_t end = (d->buffer_start + d->buffered) % d->latency;
        uint32_t room = d->latency - d->buffered;
        if (room > d->latency - end) room = d->latency - end;
        uint32_t taken = glasses_ring_read(d->speaker, d->speaker->capacity, d->buffer + end, room);
        if (taken == 0) return;
        d->buffered += taken;
    }
}

/* The microphone hears one frame; a whole block goes to its ring with the time of its first frame. */
static void hear(device *d, int16_t sample, int64_t frame) {
    d->heard[d->heard_count++] = d->settings.is_loopback ? sample : 0;
    if (d->heard_count < d->period) return;
    int64_t first = frame + 1 - d->period;
    uint32_t taken = glasses_ring_write(
        d->microphone, d->microphone->capacity, d->heard, d->period, frame_time(d, first));
    if (taken < d->period) glasses_ring_add(&d->microphone->dropped, d->period - taken);
    d->heard_count = 0;
    signal_fd(d->microphone->wake_fd);
}

/* Lets the device's clock run up to now. A late thread loses nothing: a virtual device can catch up. */
static void advance(device *d, int64_t t_ns) {
    int64_t due = frame_at(d, t_ns);
    if (d->speaker) refill(d);
    while (d->elapsed < due) {
        int16_t sample = 0;
        if (d->speaker && d->buffered > 0) {
            sample = d->buffer[d->buffer_start];
            d->buffer_start = (d->buffer_start + 1) % d->latency;
            d->buffered--;
            d->played++;
            if (d->buffered == 0) refill(d);
        }
        if (d->microphone) hear(d, sample, d->elapsed);
        d->elapsed++;
    }
    if (d->speaker) refill(d);
}

/* Cuts what was written before the flush; the position was brought up to now by advance. */
static void carry_out_flush(device *d, int64_t t_ns) {
    uint64_t id = __atomic_load_n(&d->flush_id, __ATOMIC_ACQUIRE);
    int64_t upto = __atomic_load_n(&d->flush_upto, __ATOMIC_ACQUIRE);
    if (id == d->flushed_id || __atomic_load_n(&d->flush_id, __ATOMIC_ACQUIRE) != id) return;
    d->playback.flush_id = id;
    d->playback.flushed_position = d->played < upto ? d->played : upto;
    d->playback.flushed_t_ns = t_ns;
    d->flushed_id = id;
    if (upto <= d->played) return;
    int64_t cut = upto - d->played;
    if (cut < (int64_t)d->buffered) {
        d->buffer_start = (uint32_t)((d->buffer_start + cut) % d->latency);
        d->buffered -= (uint32_t)cut;
    } else {
        d->buffered = 0;
        glasses_ring_skip(d->speaker, upto);
    }
    d->played = upto;
    refill(d);
}

static void publish(device *d, int64_t t_ns) {
    d->playback.played_position = d->played;
    d->playback.played_t_ns = t_ns;
    d->playback.is_advancing = d->buffered > 0;
    glasses_ring_publish(d->speaker, &d->playback);
    signal_fd(d->speaker->wake_fd);
}

/* [audio] */
static void *run(void *argument) {
    device *d = argument;
    for (;;) {
        struct pollfd sources[3] = {
            {.fd = d->stop_fd, .events = POLLIN},
            {.fd = d->timer_fd, .events = POLLIN},
            {.fd = d->speaker ? d->speaker->kick_fd : -1, .events = POLLIN},
        };
        poll(sources, 3, 2 * PERIOD_MS);
        if (sources[1].revents) drain_fd(d->timer_fd);
        if (sources[2].revents) drain_fd(d->speaker->kick_fd);
        int64_t t_ns = now_ns();
        advance(d, t_ns);
        if (d->speaker) {
            carry_out_flush(d, t_ns);
            publish(d, t_ns);
        }
        if (sources[0].revents) return NULL;
    }
}

int32_t device_init(device *d, const settings *chosen) {
    *d = (device){.settings = *chosen, .timer_fd = -1, .stop_fd = -1};
    pthread_mutex_init(&d->flush_lock, NULL);
    d->period = chosen->sample_rate * PERIOD_MS / 1000;
    d->latency = chosen->sample_rate * chosen->latency_ms / 1000;
    d->buffer = calloc(d->latency, sizeof *d->buffer);
    d->heard = calloc(d->period, sizeof *d->heard);
    d->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    d->stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    struct itimerspec period = {{0, PERIOD_MS * 1000000}, {0, PERIOD_MS * 1000000}};
    if (!d->buffer || !d->heard || d->timer_fd < 0 || d->stop_fd < 0
        || timerfd_settime(d->timer_fd, 0, &period, NULL) != 0) {
        device_free(d);
        return -1;
    }
    return 0;
}

static void stop_thread(device *d) {
    if (!d->is_running) return;
    signal_fd(d->stop_fd);
    pthread_join(d->thread, NULL);
    drain_fd(d->stop_fd);
    d->is_running = 0;
}

int32_t device_set_streams(device *d, glasses_ring *microphone, glasses_ring *speaker) {
    stop_thread(d);
    if (d->speaker != speaker) {
        d->buffered = 0;
        d->played = 0;
        d->flushed_id = __atomic_load_n(&d->flush_id, __ATOMIC_ACQUIRE);
        d->playback = (glasses_playback){.flush_id = d->flushed_id};
    }
    if (d->microphone != microphone) d->heard_count = 0;
    if (!d->microphone && !d->speaker) {
        d->start_ns = now_ns();
        d->elapsed = 0;
    }
    d->microphone = microphone;
    d->speaker = speaker;
    if (!microphone && !speaker) return 0;
    d->is_running = pthread_create(&d->thread, NULL, run, d) == 0;
    if (d->is_running) return 0;
    d->microphone = NULL;
    d->speaker = NULL;
    return -1;
}

void device_flush(device *d, uint64_t flush, int64_t upto) {
    pthread_mutex_lock(&d->flush_lock);
    __atomic_store_n(&d->flush_upto, upto, __ATOMIC_RELEASE);
    __atomic_store_n(&d->flush_id, flush, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&d->flush_lock);
}

void device_free(device *d) {
    stop_thread(d);
    if (d->timer_fd >= 0) close(d->timer_fd);
    if (d->stop_fd >= 0) close(d->stop_fd);
    free(d->buffer);
    free(d->heard);
    pthread_mutex_destroy(&d->flush_lock);
}
