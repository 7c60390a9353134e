/* Loops over the bytes of pictures. They are in C because a compiler makes vector code of them, and because a debug build of them is
 * still fast enough for a camera. None allocates, but for cpixels_scale; every pointer is read or written only during the call.
 * A plane is `rows` rows of `width` bytes, each `stride` bytes after the one before. Callers check sizes. [any] */
#ifndef CPIXELS_H
#define CPIXELS_H

#include <stddef.h>
#include <stdint.h>

/* Copies a plane into one of `to_width` by `to_rows`, repeating its last column and row; a smaller one gets the upper left part. */
void cpixels_copy(
    const uint8_t *_Nonnull from, size_t stride, size_t width, size_t rows, uint8_t *_Nonnull to, size_t to_width,
    size_t to_rows);

/* Takes interleaved pairs apart, into two planes without gaps. */
void cpixels_split_pairs(
    const uint8_t *_Nonnull from, size_t stride, size_t pairs, size_t rows, uint8_t *_Nonnull first,
    uint8_t *_Nonnull second);

/* Takes Y, U, Y, V apart, into planes without gaps: 2·`pairs` by `rows` for Y, `pairs` by half the rows, rounded up, for the others,
 * which are the means of two rows. */
void cpixels_split_yuyv(
    const uint8_t *_Nonnull from, size_t stride, size_t pairs, size_t rows, uint8_t *_Nonnull y, uint8_t *_Nonnull u,
    uint8_t *_Nonnull v);

/* The means of two rows each; an odd last row is itself. Planes without gaps. */
void cpixels_halve_rows(const uint8_t *_Nonnull from, size_t width, size_t rows, uint8_t *_Nonnull to);

/* From video's range (luma 16–235, chroma 16–240) to 0–255, and back. In place. */
void cpixels_widen_luma(uint8_t *_Nonnull bytes, size_t count);
void cpixels_widen_chroma(uint8_t *_Nonnull bytes, size_t count);
void cpixels_narrow_luma(uint8_t *_Nonnull bytes, size_t count);
void cpixels_narrow_chroma(uint8_t *_Nonnull bytes, size_t count);

/* Scales a plane without gaps to any size: each new pixel is the mean of the area that it covers. Answers 0, or -1 without memory. */
int32_t cpixels_scale(
    const uint8_t *_Nonnull from, size_t width, size_t rows, uint8_t *_Nonnull to, size_t to_width, size_t to_rows);

/* Turns a picture without gaps, of `size` (1 or 4) bytes a pixel, by quarters (1–3) clockwise. */
void cpixels_turn(
    const uint8_t *_Nonnull from, size_t width, size_t rows, size_t size, int32_t quarters, uint8_t *_Nonnull to);

#endif
