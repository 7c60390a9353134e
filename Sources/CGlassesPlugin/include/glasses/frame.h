/* One picture: how its pixels lie in memory, and whether what somebody says of it can be true. */
#ifndef GLASSES_FRAME_H
#define GLASSES_FRAME_H

#include "base.h"

#define GLASSES_VIDEO_SIDE_MAX 8192u /* pixels; wider and higher than any sensor of a wearable */

typedef uint32_t glasses_pixel_format;
enum {
    GLASSES_PIXELS_I420 = 1, /* three planes Y, U, V; width and height even */
    GLASSES_PIXELS_NV12 = 2, /* two planes Y and interleaved UV; width and height even */
    GLASSES_PIXELS_YUYV = 3, /* one plane, two bytes a pixel; width even */
    GLASSES_PIXELS_JPEG = 4  /* one plane without a stride: a whole JPEG file */
};

typedef struct glasses_plane {
    uint32_t offset; /* bytes from the slot's beginning to the plane's first row */
    uint32_t stride; /* bytes from one row to the next, at least a row's own; 0 for JPEG */
} glasses_plane;

typedef struct GLASSES_SENDABLE glasses_frame {
    int64_t t_ns;     /* CLOCK_MONOTONIC of the exposure; strictly increasing within a stream */
    uint64_t number;  /* counts the camera's frames, those that it could not store too */
    glasses_pixel_format format;
    uint32_t width;
    uint32_t height;
    uint32_t rotation; /* clockwise degrees to turn the picture upright: 0, 90, 180 or 270 */
    uint32_t bytes;    /* of the slot that the frame takes */
    uint32_t plane_count;
    glasses_plane planes[3];
} glasses_frame;

/* How many planes a format has, and 0 for one that is unknown. */
static inline uint32_t glasses_pixel_planes(glasses_pixel_format format) {
    switch (format) {
    case GLASSES_PIXELS_I420: return 3;
    case GLASSES_PIXELS_NV12: return 2;
    case GLASSES_PIXELS_YUYV:
    case GLASSES_PIXELS_JPEG: return 1;
    default: return 0;
    }
}

/* A plane's rows and the bytes of each that hold pixels. JPEG has no rows. */
static inline void glasses_plane_shape(
    const glasses_frame *GLASSES_NONNULL frame, uint32_t plane, uint32_t *GLASSES_NONNULL rows,
    uint32_t *GLASSES_NONNULL row_bytes) {
    uint32_t is_chroma = plane > 0;
    *rows = is_chroma ? frame->height / 2 : frame->height;
    switch (frame->format) {
    case GLASSES_PIXELS_I420: *row_bytes = is_chroma ? frame->width / 2 : frame->width; break;
    case GLASSES_PIXELS_NV12: *row_bytes = frame->width; break;
    case GLASSES_PIXELS_YUYV: *row_bytes = frame->width * 2; break;
    default: *rows = 0; *row_bytes = 0; break;
    }
}

/* Whether a frame is what this header allows and lies within slot_bytes, whoever wrote it: known format, sides of 1 to
 * GLASSES_VIDEO_SIDE_MAX that the format can have, a right angle, its number of planes, and each plane inside `bytes`. */
static inline int32_t glasses_frame_is_valid(const glasses_frame *GLASSES_NONNULL frame, uint32_t slot_bytes) {
    uint32_t planes = glasses_pixel_planes(frame->format);
    if (planes == 0 || frame->plane_count != planes) return 0;
    if (frame->width == 0 || frame->height == 0) return 0;
    if (frame->width > GLASSES_VIDEO_SIDE_MAX || frame->height > GLASSES_VIDEO_SIDE_MAX) return 0;
    if (frame->rotation > 270 || frame->rotation % 90 != 0) return 0;
    if (frame->bytes == 0 || frame->bytes > slot_bytes || frame->t_ns <= 0) return 0;
    if (frame->format == GLASSES_PIXELS_JPEG) return frame->planes[0].offset < frame->bytes;
    if (frame->width % 2 != 0 || (frame->format != GLASSES_PIXELS_YUYV && frame->height % 2 != 0)) return 0;
    for (uint32_t plane = 0; plane < planes; plane++) {
        uint32_t rows, row_bytes;
        glasses_plane_shape(frame, plane, &rows, &row_bytes);
        if (frame->planes[plane].stride < row_bytes) return 0;
        uint64_t end = (uint64_t)frame->planes[plane].offset + (uint64_t)frame->planes[plane].stride * (rows - 1) + row_bytes;
        if (end > frame->bytes) return 0;
    }
    return 1;
}

#endif
