/* Video4Linux2 with fixed signatures: its ioctl numbers and format names are macros, which Swift does not import.
 *
 * Functions answer 0, or the error number of the call. A call that a signal interrupts is made again. They block as long as the
 * driver does. Only cameras with one buffer a picture are dealt with (the single-planar API).
 */
#ifndef CVIDEO4LINUX_H
#define CVIDEO4LINUX_H

#include <stddef.h>
#include <stdint.h>

/* The longest names, with the terminating zero. */
#define CV4L_TEXT_MAX 33

/* How pixels are stored, as V4L2 names it. */
extern const uint32_t CV4L_MJPEG, CV4L_JPEG, CV4L_YUYV, CV4L_NV12, CV4L_I420;

/* Which device a node belongs to. */
typedef struct cv4l_identity {
    char card[CV4L_TEXT_MAX];
    char bus[CV4L_TEXT_MAX];
    int32_t is_camera; /* whether this node itself captures pictures, by mapped buffers */
} cv4l_identity;

/* One size, or a range of sizes; pixels. */
typedef struct cv4l_sizes {
    uint32_t width_min, width_max, width_step;
    uint32_t height_min, height_max, height_step;
} cv4l_sizes;

/* One time from picture to picture, or a range of them; seconds as fractions. */
typedef struct cv4l_intervals {
    uint32_t shortest_numerator, shortest_denominator;
    uint32_t longest_numerator, longest_denominator;
    uint32_t step_numerator, step_denominator; /* 0 for one time, and for a range without steps */
    int32_t is_range;
} cv4l_intervals;

/* What a stream delivers. */
typedef struct cv4l_format {
    uint32_t pixels;
    uint32_t width, height;
    uint32_t stride; /* bytes from row to row of the first plane */
    uint32_t bytes;  /* the largest picture */
} cv4l_format;

/* A picture that the driver has filled. */
typedef struct cv4l_picture {
    uint32_t index;    /* of its buffer */
    uint32_t bytes;
    uint32_t sequence; /* counts pictures, those that got lost too */
    int32_t is_broken; /* the driver says that its content may be wrong */
    int32_t is_monotonic; /* t_ns is CLOCK_MONOTONIC */
    int64_t t_ns;
} cv4l_picture;

/* Which device this is; ENODEV when it is none of Video4Linux. */
int32_t cv4l_identify(int32_t fd, cv4l_identity *_Nonnull identity);

/* The format at `index`; EINVAL behind the last one. */
int32_t cv4l_pixels_at(int32_t fd, uint32_t index, uint32_t *_Nonnull pixels);

/* The sizes at `index`; EINVAL behind the last ones. */
int32_t cv4l_sizes_at(int32_t fd, uint32_t pixels, uint32_t index, cv4l_sizes *_Nonnull sizes);

/* The intervals at `index` for one size; EINVAL behind the last ones. */
int32_t cv4l_intervals_at(
    int32_t fd, uint32_t pixels, uint32_t width, uint32_t height, uint32_t index, cv4l_intervals *_Nonnull intervals);

/* Asks for a format and says in the same place what the driver made of it. */
int32_t cv4l_set_format(int32_t fd, cv4l_format *_Nonnull format);

/* Asks for a time from picture to picture; ENOTTY from drivers that have one only. */
int32_t cv4l_set_interval(int32_t fd, uint32_t numerator, uint32_t denominator);

/* Asks for buffers, none to give them back; says how many there are. */
int32_t cv4l_request_buffers(int32_t fd, uint32_t *_Nonnull count);

/* Maps a buffer; the caller unmaps it. */
int32_t cv4l_map_buffer(int32_t fd, uint32_t index, void *_Nullable *_Nonnull start, size_t *_Nonnull length);

/* Gives a buffer to the driver. */
int32_t cv4l_queue(int32_t fd, uint32_t index);

/* Takes a filled buffer; EAGAIN when there is none. */
int32_t cv4l_dequeue(int32_t fd, cv4l_picture *_Nonnull picture);

/* Begins or ends the stream. */
int32_t cv4l_stream(int32_t fd, int32_t is_on);

#endif
