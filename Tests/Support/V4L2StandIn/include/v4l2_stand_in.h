/* Cameras of Video4Linux that are not there: a library for LD_PRELOAD, which answers for the nodes that a script names.
 *
 * The script is the variable V4L2_STAND_IN: one camera a line, words separated by spaces:
 *
 *   0 card=Front bus=usb-1 formats=MJPG:640x480@30+15,YUYV:320x240@30 unplug=40 away=300
 *
 * The first word is N of /dev/videoN. `card` and `bus` have _ for spaces. A format is MJPG, YUYV, NV12 or YU12, with a size and rates,
 * or with `*` for any size from 2 by 2 on in steps of 2 and any rate from 1 to 60. Picture n of a stream shows the number n as
 * FrameNumberPattern draws it. Rows of raw pictures have `pad` more bytes than they need. Faults:
 *
 *   refuse      opening answers EACCES             busy        beginning the stream answers EBUSY
 *   hang        asking for the format takes 30 s   other       another size is delivered than was asked for
 *   metadata    the node is no camera              stepless    the rates are not told
 *   mute        asking what it is takes 30 s
 *   unplug=N    instead of picture N the camera is gone, once; `away=MS` brings it back
 *   stall=N     no picture from N on               half=N      picture N is cut in half
 *   back=N      times jump back by 5 s at N        broken=N    picture N is marked as broken
 *   lose=N      three pictures get lost before N   clock       times are not of the monotonic clock
 */
#ifndef V4L2_STAND_IN_H
#define V4L2_STAND_IN_H

#include <stddef.h>
#include <stdint.h>

enum { CAMERAS_MAX = 8, FORMATS_MAX = 12, RATES_MAX = 6, BUFFERS_MAX = 8, NEVER = -1 };

typedef struct offer {
    uint32_t pixels;
    uint32_t width, height; /* 0 for any */
    uint32_t rates[RATES_MAX];
    uint32_t rate_count;
} offer;

typedef struct camera {
    int node;
    char card[33], bus[33];
    offer offers[FORMATS_MAX];
    uint32_t offer_count;
    uint32_t pad;
    int refuses, is_busy, hangs, is_mute, makes_other, is_metadata, hides_rates, has_other_clock;
    int64_t unplug, away_ms, stall, half, back, broken, lose;

    int64_t gone_since; /* 0 while it is there */
    int was_unplugged;

    /* Of the one open stream: */
    int fd; /* a timer; -1 while it is closed */
    int memory;
    uint32_t pixels, width, height, rate;
    uint32_t buffer_count, buffer_bytes;
    uint32_t queue[BUFFERS_MAX], queued;
    int64_t start_ns; /* of the stream; 0 while it does not run */
    int64_t number, sequence;
} camera;

/* Reads a script; returns how many cameras it has, -1 for a wrong one. */
int script_read(const char *text, camera *cameras);

/* Draws picture `number` in the format of `pixels` and returns its bytes; 0 when it does not fit. */
size_t picture_draw(uint8_t *to, size_t capacity, uint32_t pixels, uint32_t width, uint32_t height, uint32_t stride, uint32_t number);

/* Bytes of a row of the first plane, without padding. */
uint32_t picture_row_bytes(uint32_t pixels, uint32_t width);

/* Bytes that a picture takes at most. */
uint32_t picture_bytes(uint32_t pixels, uint32_t stride, uint32_t height);

/* Answers an ioctl on the camera; 0, or the error number. */
int camera_ioctl(camera *c, unsigned long request, void *argument);

/* Whether the camera can be seen now. */
int camera_is_there(camera *c);

/* Lets go of what an open stream has. */
void camera_close(camera *c);

#endif
