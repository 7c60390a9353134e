#include "CVideo4Linux.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

const uint32_t CV4L_MJPEG = V4L2_PIX_FMT_MJPEG, CV4L_JPEG = V4L2_PIX_FMT_JPEG, CV4L_YUYV = V4L2_PIX_FMT_YUYV,
               CV4L_NV12 = V4L2_PIX_FMT_NV12, CV4L_I420 = V4L2_PIX_FMT_YUV420;

static int32_t call(int32_t fd, unsigned long request, void *argument) {
    while (ioctl(fd, request, argument) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* The kernel promises the terminating zero; a driver that forgets it must not make us read on. */
static void copy_text(char *to, const __u8 *from, size_t count) {
    size_t length = strnlen((const char *)from, count);
    if (length >= CV4L_TEXT_MAX) length = CV4L_TEXT_MAX - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

int32_t cv4l_identify(int32_t fd, cv4l_identity *identity) {
    struct v4l2_capability facts = {0};
    int32_t error = call(fd, VIDIOC_QUERYCAP, &facts);
    if (error != 0) return error == ENOTTY ? ENODEV : error;
    copy_text(identity->card, facts.card, sizeof facts.card);
    copy_text(identity->bus, facts.bus_info, sizeof facts.bus_info);
    uint32_t mine = facts.capabilities & V4L2_CAP_DEVICE_CAPS ? facts.device_caps : facts.capabilities;
    uint32_t wanted = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    identity->is_camera = (mine & wanted) == wanted;
    return 0;
}

int32_t cv4l_pixels_at(int32_t fd, uint32_t index, uint32_t *pixels) {
    struct v4l2_fmtdesc format = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    int32_t error = call(fd, VIDIOC_ENUM_FMT, &format);
    *pixels = format.pixelformat;
    return error;
}

int32_t cv4l_sizes_at(int32_t fd, uint32_t pixels, uint32_t index, cv4l_sizes *sizes) {
    struct v4l2_frmsizeenum entry = {.index = index, .pixel_format = pixels};
    int32_t error = call(fd, VIDIOC_ENUM_FRAMESIZES, &entry);
    if (error != 0) return error;
    if (entry.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
        uint32_t width = entry.discrete.width, height = entry.discrete.height;
        *sizes = (cv4l_sizes){width, width, 1, height, height, 1};
    } else {
        *sizes = (cv4l_sizes){
            entry.stepwise.min_width, entry.stepwise.max_width, entry.stepwise.step_width,
            entry.stepwise.min_height, entry.stepwise.max_height, entry.stepwise.step_height};
    }
    return 0;
}

int32_t cv4l_intervals_at(
    int32_t fd, uint32_t pixels, uint32_t width, uint32_t height, uint32_t index, cv4l_intervals *intervals) {
    struct v4l2_frmivalenum entry = {.index = index, .pixel_format = pixels, .width = width, .height = height};
    int32_t error = call(fd, VIDIOC_ENUM_FRAMEINTERVALS, &entry);
    if (error != 0) return error;
    if (entry.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
        struct v4l2_fract only = entry.discrete;
        *intervals = (cv4l_intervals){only.numerator, only.denominator, only.numerator, only.denominator, 0, 0, 0};
    } else {
        struct v4l2_fract min = entry.stepwise.min, max = entry.stepwise.max, step = entry.stepwise.step;
        int32_t has_steps = entry.type == V4L2_FRMIVAL_TYPE_STEPWISE;
        *intervals = (cv4l_intervals){
            min.numerator, min.denominator, max.numerator, max.denominator,
            has_steps ? step.numerator : 0, has_steps ? step.denominator : 0, 1};
    }
    return 0;
}

int32_t cv4l_set_format(int32_t fd, cv4l_format *format) {
    struct v4l2_format wanted = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    wanted.fmt.pix.width = format->width;
    wanted.fmt.pix.height = format->height;
    wanted.fmt.pix.pixelformat = format->pixels;
    wanted.fmt.pix.field = V4L2_FIELD_NONE;
    int32_t error = call(fd, VIDIOC_S_FMT, &wanted);
    if (error != 0) return error;
    const struct v4l2_pix_format *made = &wanted.fmt.pix;
    *format = (cv4l_format){made->pixelformat, made->width, made->height, made->bytesperline, made->sizeimage};
    return 0;
}

int32_t cv4l_set_interval(int32_t fd, uint32_t numerator, uint32_t denominator) {
    struct v4l2_streamparm wanted = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    wanted.parm.capture.timeperframe.numerator = numerator;
    wanted.parm.capture.timeperframe.denominator = denominator;
    return call(fd, VIDIOC_S_PARM, &wanted);
}

int32_t cv4l_request_buffers(int32_t fd, uint32_t *count) {
    struct v4l2_requestbuffers wanted = {
        .count = *count, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    int32_t error = call(fd, VIDIOC_REQBUFS, &wanted);
    if (error == 0) *count = wanted.count;
    return error;
}

static struct v4l2_buffer buffer_at(uint32_t index) {
    return (struct v4l2_buffer){.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
}

int32_t cv4l_map_buffer(int32_t fd, uint32_t index, void **start, size_t *length) {
    struct v4l2_buffer buffer = buffer_at(index);
    int32_t error = call(fd, VIDIOC_QUERYBUF, &buffer);
    if (error != 0) return error;
    void *memory = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, buffer.m.offset);
    if (memory == MAP_FAILED) return errno;
    *start = memory;
    *length = buffer.length;
    return 0;
}

int32_t cv4l_queue(int32_t fd, uint32_t index) {
    struct v4l2_buffer buffer = buffer_at(index);
    return call(fd, VIDIOC_QBUF, &buffer);
}

int32_t cv4l_dequeue(int32_t fd, cv4l_picture *picture) {
    struct v4l2_buffer buffer = buffer_at(0);
    int32_t error = call(fd, VIDIOC_DQBUF, &buffer);
    if (error != 0) return error;
    *picture = (cv4l_picture){
        .index = buffer.index, .bytes = buffer.bytesused, .sequence = buffer.sequence,
        .is_broken = (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0,
        .is_monotonic = (buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC,
        .t_ns = (int64_t)buffer.timestamp.tv_sec * 1000000000 + (int64_t)buffer.timestamp.tv_usec * 1000,
    };
    return 0;
}

int32_t cv4l_stream(int32_t fd, int32_t is_on) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return call(fd, is_on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &type);
}
