#include "v4l2_stand_in.h"

#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

enum { BLACK = 16, WHITE = 235, QUALITY = 80 };

/* The 40 bits of FrameNumberPattern: the number and its check. */
static uint64_t bits_of(uint32_t number) {
    uint8_t check = 0xa5;
    for (int shift = 24; shift >= 0; shift -= 8)
        check = (uint8_t)((uint8_t)(check << 1 | check >> 7) + (uint8_t)(number >> shift) * 31);
    return (uint64_t)number << 8 | check;
}

static uint8_t luma_at(uint64_t bits, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    if (y >= height / 2) return 32;
    uint32_t row = 0, column = 0;
    while (y >= (row + 1) * height / 10) row++;
    while (x >= (column + 1) * width / 8) column++;
    return bits >> (39 - (row * 8 + column)) & 1 ? WHITE : BLACK;
}

uint32_t picture_row_bytes(uint32_t pixels, uint32_t width) { return pixels == V4L2_PIX_FMT_YUYV ? width * 2 : width; }

uint32_t picture_bytes(uint32_t pixels, uint32_t stride, uint32_t height) {
    return pixels == V4L2_PIX_FMT_YUYV ? stride * height : stride * height * 3 / 2 + 4096;
}

static size_t draw_yuyv(uint8_t *to, uint64_t bits, uint32_t width, uint32_t height, uint32_t stride) {
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            to[y * stride + 2 * x] = luma_at(bits, x, y, width, height);
            to[y * stride + 2 * x + 1] = 128;
        }
    return (size_t)stride * height;
}

/* Also NV12, whose chroma has the same size and the same one value. */
static size_t draw_planes(uint8_t *to, uint64_t bits, uint32_t width, uint32_t height, uint32_t stride) {
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) to[y * stride + x] = luma_at(bits, x, y, width, height);
    memset(to + (size_t)stride * height, 128, (size_t)stride * height / 2);
    return (size_t)stride * height * 3 / 2;
}

static size_t draw_jpeg(uint8_t *to, size_t capacity, uint64_t bits, uint32_t width, uint32_t height) {
    uint8_t *planes = malloc((size_t)width * height * 3 / 2);
    unsigned char *file = NULL;
    unsigned long length = 0;
    tjhandle compressor = tjInitCompress();
    if (planes && compressor) {
        draw_planes(planes, bits, width, height, width);
        tjCompressFromYUV(
            compressor, planes, (int)width, 1, (int)height, TJSAMP_420, &file, &length, QUALITY, TJFLAG_FASTDCT);
    }
    if (length > capacity) length = 0;
    if (length > 0) memcpy(to, file, length);
    if (compressor) tjDestroy(compressor);
    tjFree(file);
    free(planes);
    return length;
}

size_t picture_draw(
    uint8_t *to, size_t capacity, uint32_t pixels, uint32_t width, uint32_t height, uint32_t stride, uint32_t number) {
    uint64_t bits = bits_of(number);
    if (capacity < picture_bytes(pixels, stride, height)) return 0;
    switch (pixels) {
    case V4L2_PIX_FMT_YUYV: return draw_yuyv(to, bits, width, height, stride);
    case V4L2_PIX_FMT_MJPEG: return draw_jpeg(to, capacity, bits, width, height);
    default: return draw_planes(to, bits, width, height, stride);
    }
}
