#define _GNU_SOURCE
#include "v4l2_stand_in.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000;

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

int camera_is_there(camera *c) {
    if (c->gone_since != 0 && c->away_ms != NEVER && now_ns() - c->gone_since >= c->away_ms * 1000000) c->gone_since = 0;
    return c->gone_since == 0;
}

static uint32_t stride_of(const camera *c) {
    return c->pixels == V4L2_PIX_FMT_MJPEG ? 0 : picture_row_bytes(c->pixels, c->width) + c->pad;
}

static int identify(const camera *c, struct v4l2_capability *facts) {
    memset(facts, 0, sizeof *facts);
    snprintf((char *)facts->driver, sizeof facts->driver, "stand-in");
    snprintf((char *)facts->card, sizeof facts->card, "%s", c->card);
    snprintf((char *)facts->bus_info, sizeof facts->bus_info, "%s", c->bus);
    facts->device_caps = V4L2_CAP_STREAMING | (c->is_metadata ? V4L2_CAP_META_CAPTURE : V4L2_CAP_VIDEO_CAPTURE);
    facts->capabilities = V4L2_CAP_STREAMING | V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE | V4L2_CAP_DEVICE_CAPS;
    return 0;
}

static int list_formats(const camera *c, struct v4l2_fmtdesc *format) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < c->offer_count; i++) {
        if (i > 0 && c->offers[i].pixels == c->offers[i - 1].pixels) continue;
        if (index++ == format->index) return format->pixelformat = c->offers[i].pixels, 0;
    }
    return EINVAL;
}

static int list_sizes(const camera *c, struct v4l2_frmsizeenum *size) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < c->offer_count; i++) {
        const offer *o = &c->offers[i];
        if (o->pixels != size->pixel_format || index++ != size->index) continue;
        if (o->width == 0) {
            size->type = V4L2_FRMSIZE_TYPE_STEPWISE;
            size->stepwise = (struct v4l2_frmsize_stepwise){2, 1920, 2, 2, 1280, 2};
        } else {
            size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
            size->discrete = (struct v4l2_frmsize_discrete){o->width, o->height};
        }
        return 0;
    }
    return EINVAL;
}

static const offer *find_offer(const camera *c, uint32_t pixels, uint32_t width, uint32_t height) {
    for (uint32_t i = 0; i < c->offer_count; i++) {
        const offer *o = &c->offers[i];
        if (o->pixels == pixels && (o->width == 0 || (o->width == width && o->height == height))) return o;
    }
    return NULL;
}

static int list_intervals(const camera *c, struct v4l2_frmivalenum *entry) {
    const offer *o = find_offer(c, entry->pixel_format, entry->width, entry->height);
    if (c->hides_rates) return ENOTTY;
    if (!o) return EINVAL;
    if (o->width == 0) {
        if (entry->index > 0) return EINVAL;
        entry->type = V4L2_FRMIVAL_TYPE_CONTINUOUS;
        entry->stepwise = (struct v4l2_frmival_stepwise){{1, 60}, {1, 1}, {1, 1}};
        return 0;
    }
    if (entry->index >= o->rate_count) return EINVAL;
    entry->type = V4L2_FRMIVAL_TYPE_DISCRETE;
    entry->discrete = (struct v4l2_fract){1, o->rates[entry->index]};
    return 0;
}

static int set_format(camera *c, struct v4l2_format *format) {
    struct v4l2_pix_format *pix = &format->fmt.pix;
    if (!find_offer(c, pix->pixelformat, pix->width, pix->height)) return EINVAL;
    if (c->buffer_count > 0) return EBUSY;
    if (c->makes_other) pix->width /= 2;
    c->pixels = pix->pixelformat;
    c->width = pix->width;
    c->height = pix->height;
    pix->bytesperline = stride_of(c);
    pix->sizeimage = c->buffer_bytes =
        picture_bytes(c->pixels, c->pixels == V4L2_PIX_FMT_MJPEG ? c->width : stride_of(c), c->height);
    return 0;
}

static int set_interval(camera *c, struct v4l2_streamparm *parameters) {
    struct v4l2_fract time = parameters->parm.capture.timeperframe;
    if (c->hides_rates) return ENOTTY;
    if (time.numerator == 0 || time.denominator == 0) return EINVAL;
    c->rate = time.denominator / time.numerator;
    return 0;
}

/* Our own reader does not ask for these; ffmpeg does, which shows that the stand-in is a fair one. */
static int only_input(int *input) { return *input = 0, 0; }
static int list_inputs(const struct v4l2_input *input) { return input->index == 0 ? 0 : EINVAL; }

static int get_interval(const camera *c, struct v4l2_streamparm *parameters) {
    parameters->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
    parameters->parm.capture.timeperframe = (struct v4l2_fract){1, c->rate};
    return 0;
}

static int request_buffers(camera *c, struct v4l2_requestbuffers *wanted) {
    if (wanted->count > BUFFERS_MAX) wanted->count = BUFFERS_MAX;
    if (c->memory >= 0) close(c->memory);
    c->memory = -1;
    c->queued = 0;
    c->buffer_count = wanted->count;
    if (wanted->count == 0) return 0;
    c->memory = memfd_create("stand-in", MFD_CLOEXEC);
    if (c->memory < 0 || ftruncate(c->memory, (off_t)wanted->count * ((c->buffer_bytes + 4095) & ~4095u)) != 0) return ENOMEM;
    return 0;
}

static int query_buffer(const camera *c, struct v4l2_buffer *buffer) {
    if (buffer->index >= c->buffer_count) return EINVAL;
    buffer->length = c->buffer_bytes;
    buffer->m.offset = buffer->index * ((c->buffer_bytes + 4095) & ~4095u);
    return 0;
}

static int queue(camera *c, const struct v4l2_buffer *buffer) {
    if (buffer->index >= c->buffer_count || c->queued == BUFFERS_MAX) return EINVAL;
    c->queue[c->queued++] = buffer->index;
    return 0;
}

static int stream(camera *c, int is_on) {
    int64_t period = SECOND / (c->rate ? c->rate : 30);
    struct timespec time = {period / SECOND, period % SECOND};
    struct itimerspec timer = {time, time}, never = {{0, 0}, {0, 0}};
    if (is_on && c->is_busy) return EBUSY;
    c->start_ns = is_on ? now_ns() : 0;
    c->number = c->sequence = 0;
    return timerfd_settime(c->fd, 0, is_on ? &timer : &never, NULL) == 0 ? 0 : errno;
}

/* Fills a buffer of the shared memory with picture `number`, or with half of it. */
static size_t fill(camera *c, uint32_t index, int64_t number) {
    size_t room = (c->buffer_bytes + 4095) & ~4095u;
    uint8_t *memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, c->memory, (off_t)(index * room));
    if (memory == MAP_FAILED) return 0;
    uint32_t stride = c->pixels == V4L2_PIX_FMT_MJPEG ? c->width : stride_of(c);
    size_t bytes = picture_draw(memory, c->buffer_bytes, c->pixels, c->width, c->height, stride, (uint32_t)number);
    munmap(memory, room);
    return number == c->half ? bytes / 2 : bytes;
}

static int dequeue(camera *c, struct v4l2_buffer *buffer) {
    int64_t period = SECOND / (c->rate ? c->rate : 30), due = c->start_ns + (c->number + 1) * period;
    if (c->start_ns == 0) return EINVAL;
    if (c->unplug == c->number && !c->was_unplugged) {
        c->was_unplugged = 1;
        c->gone_since = now_ns();
        return ENODEV;
    }
    int is_stalled = c->stall != NEVER && c->number >= c->stall;
    if (is_stalled || c->queued == 0 || now_ns() < due) {
        uint64_t ticks;
        (void)!read(c->fd, &ticks, sizeof ticks);
        return EAGAIN;
    }
    uint32_t index = c->queue[0];
    memmove(c->queue, c->queue + 1, --c->queued * sizeof *c->queue);
    if (c->number == c->lose) c->sequence += 3;
    int64_t time = c->back != NEVER && c->number >= c->back ? due - 5 * SECOND : due;
    buffer->index = index;
    buffer->bytesused = (uint32_t)fill(c, index, c->number);
    buffer->sequence = (uint32_t)c->sequence;
    buffer->flags = (c->number == c->broken ? V4L2_BUF_FLAG_ERROR : 0)
        | (c->has_other_clock ? V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN : V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC);
    buffer->timestamp.tv_sec = time / SECOND;
    buffer->timestamp.tv_usec = time % SECOND / 1000;
    c->number++;
    c->sequence++;
    return 0;
}

int camera_ioctl(camera *c, unsigned long request, void *argument) {
    if (!camera_is_there(c)) return ENODEV;
    switch (request) {
    case VIDIOC_QUERYCAP: return identify(c, argument);
    case VIDIOC_ENUM_FMT: return list_formats(c, argument);
    case VIDIOC_ENUM_FRAMESIZES: return list_sizes(c, argument);
    case VIDIOC_ENUM_FRAMEINTERVALS: return list_intervals(c, argument);
    case VIDIOC_S_FMT: return set_format(c, argument);
    case VIDIOC_S_PARM: return set_interval(c, argument);
    case VIDIOC_G_PARM: return get_interval(c, argument);
    case VIDIOC_ENUMINPUT: return list_inputs(argument);
    case VIDIOC_G_INPUT: return only_input(argument);
    case VIDIOC_REQBUFS: return request_buffers(c, argument);
    case VIDIOC_QUERYBUF: return query_buffer(c, argument);
    case VIDIOC_QBUF: return queue(c, argument);
    case VIDIOC_DQBUF: return dequeue(c, argument);
    case VIDIOC_STREAMON: return stream(c, 1);
    case VIDIOC_STREAMOFF: return stream(c, 0);
    default: return ENOTTY;
    }
}

void camera_close(camera *c) {
    if (c->memory >= 0) close(c->memory);
    c->memory = c->fd = -1;
    c->buffer_count = c->queued = 0;
    c->start_ns = 0;
}
