#include "camera.h"

#include "descriptors.h"
#include "settings.h"

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { DIGITS = 8, DIGIT_ROWS = 5, DIGIT_COLUMNS = 3, CELL = 8 /* pixels */, STEP = 4 /* grey levels a frame */ };

/* Ten digits of 3 by 5 cells, the topmost row in the highest bits. */
static const uint16_t FONT[10] = {0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9, 0x79cf, 0x79ef, 0x7249, 0x7bef, 0x7bcf};

static const camera_mode SIZES[] = {{360, 640, 0}, {504, 896, 0}, {720, 1280, 0}};
static const uint32_t RATES[] = {2, 7, 15, 24, 30, 500};

int32_t camera_mode_read(const char *text, camera_mode *mode) {
    uint32_t is_known = 0;
    if (stream_settings_read(text, &mode->width, &mode->height, &mode->frame_rate) != 0) return -1;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        is_known |= SIZES[i].width == mode->width && SIZES[i].height == mode->height;
    for (size_t i = 0; is_known && i < sizeof RATES / sizeof *RATES; i++)
        if (RATES[i] == mode->frame_rate) return 0;
    return -1;
}

/* White digits on black in the upper left corner. */
static void draw_number(uint8_t *luma, uint32_t stride, uint64_t number) {
    for (int32_t place = DIGITS - 1; place >= 0; place--, number /= 10) {
        uint16_t shape = FONT[number % 10];
        for (uint32_t row = 0; row < DIGIT_ROWS * CELL; row++) {
            uint8_t *line = luma + (size_t)(CELL + row) * stride + CELL + place * (DIGIT_COLUMNS + 1) * CELL;
            for (uint32_t column = 0; column < DIGIT_COLUMNS; column++) {
                uint32_t bit = DIGIT_ROWS * DIGIT_COLUMNS - 1 - (row / CELL * DIGIT_COLUMNS + column);
                memset(line + column * CELL, shape >> bit & 1 ? 235 : 16, CELL);
            }
        }
    }
}

/* Every row is a ramp that moves by STEP levels a frame. */
static void draw(uint8_t *data, const glasses_frame *frame) {
    uint8_t ramp[GLASSES_VIDEO_SIDE_MAX + 256];
    for (uint32_t i = 0; i < frame->width + 256; i++) ramp[i] = (uint8_t)i;
    uint32_t shift = (uint32_t)(frame->number * STEP);
    for (uint32_t row = 0; row < frame->height; row++)
        memcpy(data + (size_t)row * frame->planes[0].stride, ramp + ((row + shift) & 0xff), frame->width);
    draw_number(data, frame->planes[0].stride, frame->number);
    size_t chroma = (size_t)frame->planes[1].stride * (frame->height / 2);
    memset(data + frame->planes[1].offset, (int)(96 + frame->number % 64), chroma);
    memset(data + frame->planes[2].offset, (int)(160 - frame->number % 64), chroma);
}

static void take_picture(camera *c) {
    uint32_t width = c->mode.width, height = c->mode.height, luma = width * height;
    glasses_frame frame = {
        .t_ns = now_ns(), .number = c->number++, .format = GLASSES_PIXELS_I420, .width = width, .height = height,
        .bytes = luma + luma / 2, .plane_count = 3,
        .planes = {{0, width}, {luma, width / 2}, {luma + luma / 4, width / 2}},
    };
    if (frame.t_ns <= c->last_t_ns) frame.t_ns = c->last_t_ns + 1;
    c->last_t_ns = frame.t_ns;
    if (frame.bytes > c->ring->slot_bytes) return;
    int32_t slot = glasses_video_ring_begin(c->ring);
    if (slot < 0) return;
    draw(glasses_video_ring_data(c->ring, c->ring->slot_bytes, (uint32_t)slot), &frame);
    glasses_video_ring_commit(c->ring, (uint32_t)slot, &frame);
    signal_fd(c->ring->wake_fd);
}

static void *run(void *argument) {
    camera *c = argument;
    for (;;) {
        struct pollfd sources[2] = {{.fd = c->stop_fd, .events = POLLIN}, {.fd = c->timer_fd, .events = POLLIN}};
        if (poll(sources, 2, -1) < 0) continue;
        if (sources[0].revents) return NULL;
        if (!sources[1].revents) continue;
        drain_fd(c->timer_fd);
        take_picture(c);
    }
}

int32_t camera_init(camera *c) {
    *c = (camera){
        .timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
        .stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
    };
    if (c->timer_fd >= 0 && c->stop_fd >= 0) return 0;
    camera_free(c);
    return -1;
}

int32_t camera_start(camera *c, glasses_video_ring *ring, camera_mode mode) {
    int64_t period_ns = 1000000000 / mode.frame_rate;
    struct timespec period = {period_ns / 1000000000, period_ns % 1000000000};
    struct itimerspec timer = {period, period};
    c->ring = ring;
    c->mode = mode;
    if (timerfd_settime(c->timer_fd, 0, &timer, NULL) != 0) return -1;
    take_picture(c);
    c->is_running = pthread_create(&c->thread, NULL, run, c) == 0;
    return c->is_running ? 0 : -1;
}

void camera_stop(camera *c) {
    struct itimerspec never = {{0, 0}, {0, 0}};
    if (!c->is_running) return;
    signal_fd(c->stop_fd);
    pthread_join(c->thread, NULL);
    drain_fd(c->stop_fd);
    timerfd_settime(c->timer_fd, 0, &never, NULL);
    c->is_running = 0;
    c->ring = NULL;
}

void camera_free(camera *c) {
    camera_stop(c);
    if (c->timer_fd >= 0) close(c->timer_fd);
    if (c->stop_fd >= 0) close(c->stop_fd);
}
