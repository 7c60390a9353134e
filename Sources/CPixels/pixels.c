#include "CPixels.h"

#include <stdlib.h>
#include <string.h>

void cpixels_copy(
    const uint8_t *from, size_t stride, size_t width, size_t rows, uint8_t *to, size_t to_width, size_t to_rows) {
    const size_t shared = width < to_width ? width : to_width;
    for (size_t row = 0; row < to_rows; row++) {
        const uint8_t *source = from + (row < rows ? row : rows - 1) * stride;
        uint8_t *target = to + row * to_width;
        memcpy(target, source, shared);
        if (shared < to_width) memset(target + shared, source[width - 1], to_width - shared);
    }
}

void cpixels_split_pairs(
    const uint8_t *from, size_t stride, size_t pairs, size_t rows, uint8_t *first, uint8_t *second) {
    for (size_t row = 0; row < rows; row++) {
        const uint8_t *source = from + row * stride;
        for (size_t pair = 0; pair < pairs; pair++) {
            first[pair] = source[2 * pair];
            second[pair] = source[2 * pair + 1];
        }
        first += pairs;
        second += pairs;
    }
}

void cpixels_split_yuyv(
    const uint8_t *from, size_t stride, size_t pairs, size_t rows, uint8_t *y, uint8_t *u, uint8_t *v) {
    for (size_t row = 0; row < rows; row++) {
        const uint8_t *source = from + row * stride;
        for (size_t pixel = 0; pixel < 2 * pairs; pixel++) y[pixel] = source[2 * pixel];
        y += 2 * pairs;
        if (row % 2 == 1) continue;
        const uint8_t *below = row + 1 < rows ? source + stride : source;
        for (size_t pair = 0; pair < pairs; pair++) {
            u[pair] = (uint8_t)((source[4 * pair + 1] + below[4 * pair + 1] + 1) / 2);
            v[pair] = (uint8_t)((source[4 * pair + 3] + below[4 * pair + 3] + 1) / 2);
        }
        u += pairs;
        v += pairs;
    }
}

void cpixels_halve_rows(const uint8_t *from, size_t width, size_t rows, uint8_t *to) {
    for (size_t row = 0; row < rows; row += 2) {
        const uint8_t *source = from + row * width;
        const uint8_t *below = row + 1 < rows ? source + width : source;
        for (size_t column = 0; column < width; column++) to[column] = (uint8_t)((source[column] + below[column] + 1) / 2);
        to += width;
    }
}

/* The factors are 255/219 and 255/224 in 1/16384, and their inverses; the sums are positive, so that a shift rounds. */
static inline uint8_t clamped(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

void cpixels_widen_luma(uint8_t *bytes, size_t count) {
    for (size_t at = 0; at < count; at++) {
        const int32_t value = (((int32_t)bytes[at] - 16) * 19077 + (1 << 13)) >> 14;
        bytes[at] = clamped(value);
    }
}

void cpixels_widen_chroma(uint8_t *bytes, size_t count) {
    for (size_t at = 0; at < count; at++) {
        const int32_t value = (((int32_t)bytes[at] - 128) * 18651 + (128 << 14) + (1 << 13)) >> 14;
        bytes[at] = clamped(value);
    }
}

void cpixels_narrow_luma(uint8_t *bytes, size_t count) {
    for (size_t at = 0; at < count; at++) bytes[at] = (uint8_t)((bytes[at] * 14071 + (16 << 14) + (1 << 13)) >> 14);
}

void cpixels_narrow_chroma(uint8_t *bytes, size_t count) {
    for (size_t at = 0; at < count; at++) {
        bytes[at] = (uint8_t)((((int32_t)bytes[at] - 128) * 14392 + (128 << 14) + (1 << 13)) >> 14);
    }
}

/* An old pixel spans `to` units and a new one `from` units of a line that is `from`·`to` units long. */
static void scale_row(const uint8_t *source, size_t from, size_t to, uint64_t *sums) {
    size_t pixel = 0, left = to;
    for (size_t at = 0; at < to; at++) {
        uint64_t sum = 0;
        size_t wanted = from;
        while (wanted > 0) {
            const size_t part = left < wanted ? left : wanted;
            sum += (uint64_t)source[pixel] * part;
            wanted -= part;
            left -= part;
            if (left == 0) {
                pixel++;
                left = to;
            }
        }
        sums[at] = sum;
    }
}

int32_t cpixels_scale(
    const uint8_t *from, size_t width, size_t rows, uint8_t *to, size_t to_width, size_t to_rows) {
    uint64_t *memory = calloc(2 * to_width, sizeof *memory);
    if (!memory) return -1;
    uint64_t *line = memory, *area = memory + to_width;
    const uint64_t whole = (uint64_t)width * rows;
    size_t row = 0, left = to_rows;
    scale_row(from, width, to_width, line);
    for (size_t at = 0; at < to_rows; at++) {
        size_t wanted = rows;
        memset(area, 0, to_width * sizeof *area);
        while (wanted > 0) {
            const size_t part = left < wanted ? left : wanted;
            for (size_t column = 0; column < to_width; column++) area[column] += line[column] * part;
            wanted -= part;
            left -= part;
            if (left == 0 && row + 1 < rows) {
                row++;
                left = to_rows;
                scale_row(from + row * width, width, to_width, line);
            }
        }
        for (size_t column = 0; column < to_width; column++) {
            to[at * to_width + column] = (uint8_t)((area[column] + whole / 2) / whole);
        }
    }
    free(memory);
    return 0;
}

/* Where the pixel that lands at `column`, `row` of the turned picture comes from. */
static inline size_t origin(size_t column, size_t row, size_t width, size_t rows, int32_t quarters) {
    switch (quarters) {
    case 1: return (rows - 1 - column) * width + row;
    case 2: return (rows - 1 - row) * width + (width - 1 - column);
    default: return column * width + (width - 1 - row);
    }
}

/* `size` is a constant wherever this is used, so that the copy is one instruction. */
static inline void turn(
    const uint8_t *from, size_t width, size_t rows, size_t size, int32_t quarters, uint8_t *to) {
    const size_t to_width = quarters == 2 ? width : rows, to_rows = quarters == 2 ? rows : width;
    for (size_t row = 0; row < to_rows; row++) {
        for (size_t column = 0; column < to_width; column++) {
            memcpy(to, from + origin(column, row, width, rows, quarters) * size, size);
            to += size;
        }
    }
}

void cpixels_turn(const uint8_t *from, size_t width, size_t rows, size_t size, int32_t quarters, uint8_t *to) {
    if (size == 1) turn(from, width, rows, 1, quarters, to);
    else turn(from, width, rows, 4, quarters, to);
}
