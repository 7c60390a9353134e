// What the bare client and the bench server share: the clock, markers, base64, WebSocket frames and a look into flat JSON.
// Linux and the C library only.
#ifndef BASELINE_WIRE_H
#define BASELINE_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAME_MS = 20, FRAME_BYTES = 960, FRAME_TEXT = FRAME_BYTES / 3 * 4, MARKER_BYTES = 12, MARKER_TEXT = 16 };

static inline int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline void die(const char *what) {
    perror(what);
    exit(1);
}

// MARK: Growing arrays of (time, number) pairs, and of bytes

struct pairs {
    int64_t (*items)[2];
    size_t count, capacity;
};

static inline void pairs_add(struct pairs *pairs, int64_t first, int64_t second) {
    if (pairs->count == pairs->capacity) {
        pairs->capacity = pairs->capacity ? pairs->capacity * 2 : 4096;
        pairs->items = realloc(pairs->items, pairs->capacity * sizeof *pairs->items);
        if (!pairs->items) die("realloc");
    }
    pairs->items[pairs->count][0] = first;
    pairs->items[pairs->count++][1] = second;
}

static inline void pairs_print(FILE *file, const char *name, const struct pairs *pairs) {
    fprintf(file, ",\"%s\":[", name);
    for (size_t i = 0; i < pairs->count; i++)
        fprintf(file, "%s[%lld,%lld]", i ? "," : "", (long long)pairs->items[i][0], (long long)pairs->items[i][1]);
    fputc(']', file);
}

static inline void times_print(FILE *file, const char *name, const struct pairs *pairs) {
    fprintf(file, ",\"%s\":[", name);
    for (size_t i = 0; i < pairs->count; i++) fprintf(file, "%s%lld", i ? "," : "", (long long)pairs->items[i][0]);
    fputc(']', file);
}

struct bytes {
    uint8_t *data;
    size_t start, end, capacity;
};

// Room for `count` more bytes behind `end`.
static inline uint8_t *bytes_reserve(struct bytes *bytes, size_t count) {
    if (bytes->start == bytes->end) bytes->start = bytes->end = 0;
    if (bytes->end + count > bytes->capacity && bytes->start) {
        memmove(bytes->data, bytes->data + bytes->start, bytes->end - bytes->start);
        bytes->end -= bytes->start;
        bytes->start = 0;
    }
    if (bytes->end + count > bytes->capacity) {
        bytes->capacity = (bytes->end + count) * 2;
        bytes->data = realloc(bytes->data, bytes->capacity);
        if (!bytes->data) die("realloc");
    }
    return bytes->data + bytes->end;
}

// MARK: Markers

static const uint8_t marker_magic[8] = {0x13, 0x57, 0x9B, 0x2F, 0x24, 0x68, 0xAC, 0x1E};

static inline void marker_write(uint8_t *frame, uint32_t number) {
    memcpy(frame, marker_magic, 8);
    for (int i = 0; i < 4; i++) frame[8 + i] = (uint8_t)(number >> 8 * i);
}

// The number in the marker at the start of `frame`, or -2.
static inline int64_t marker_read(const uint8_t *frame) {
    if (memcmp(frame, marker_magic, 8) != 0) return -2;
    return (int64_t)frame[8] | (int64_t)frame[9] << 8 | (int64_t)frame[10] << 16 | (int64_t)frame[11] << 24;
}

// MARK: Base64

static char base64_pairs[4096][2];
static uint8_t base64_values[256];

static inline void base64_setup(void) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 4096; i++) {
        base64_pairs[i][0] = alphabet[i >> 6];
        base64_pairs[i][1] = alphabet[i & 63];
    }
    for (int i = 0; i < 64; i++) base64_values[(uint8_t)alphabet[i]] = (uint8_t)i;
}

// Encodes whole triplets; returns the end of the text.
static inline uint8_t *base64_encode(const uint8_t *data, size_t count, uint8_t *text) {
    for (size_t i = 0; i + 2 < count; i += 3, text += 4) {
        uint32_t bits = (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2];
        memcpy(text, base64_pairs[bits >> 12], 2);
        memcpy(text + 2, base64_pairs[bits & 4095], 2);
    }
    return text;
}

// Decodes text of whole quads; returns how many bytes it stands for.
static inline size_t base64_decode(const uint8_t *text, size_t count, uint8_t *data) {
    uint8_t *start = data;
    for (size_t i = 0; i + 3 < count; i += 4) {
        uint32_t bits = (uint32_t)base64_values[text[i]] << 18 | (uint32_t)base64_values[text[i + 1]] << 12
            | (uint32_t)base64_values[text[i + 2]] << 6 | base64_values[text[i + 3]];
        *data++ = (uint8_t)(bits >> 16);
        *data++ = (uint8_t)(bits >> 8);
        *data++ = (uint8_t)bits;
    }
    size_t padding = count >= 4 ? (text[count - 1] == '=') + (text[count - 2] == '=') : 0;
    return (size_t)(data - start) - padding;
}

// MARK: WebSocket frames

enum { WS_TEXT = 1, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10, WS_HEADER_MAX = 14 };

struct ws_frame {
    int opcode;
    uint8_t *payload;
    size_t size;
};

// Writes the header of a final frame; returns its size. `mask` is nil in a server.
static inline size_t ws_header(uint8_t *out, int opcode, size_t size, const uint8_t *mask) {
    size_t at = 2;
    uint8_t flag = mask ? 0x80 : 0;
    out[0] = (uint8_t)(0x80 | opcode);
    if (size < 126) {
        out[1] = (uint8_t)(flag | size);
    } else if (size < 65536) {
        out[1] = flag | 126;
        out[2] = (uint8_t)(size >> 8);
        out[3] = (uint8_t)size;
        at = 4;
    } else {
        out[1] = flag | 127;
        for (int i = 0; i < 8; i++) out[2 + i] = (uint8_t)((uint64_t)size >> (56 - 8 * i));
        at = 10;
    }
    if (mask) memcpy(out + at, mask, 4);
    return at + (mask ? 4 : 0);
}

static inline void ws_mask(uint8_t *data, size_t size, const uint8_t *mask) {
    uint64_t wide;
    uint8_t twice[8];
    memcpy(twice, mask, 4);
    memcpy(twice + 4, mask, 4);
    memcpy(&wide, twice, 8);
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, 8);
        word ^= wide;
        memcpy(data + i, &word, 8);
    }
    for (; i < size; i++) data[i] ^= mask[i & 3];
}

// Takes the next whole, unfragmented frame out of `in` and unmasks it: 1, 0 when more bytes are needed, -1 when it is malformed.
static inline int ws_next(struct bytes *in, struct ws_frame *frame) {
    uint8_t *data = in->data + in->start;
    size_t have = in->end - in->start, at = 2;
    if (have < 2) return 0;
    if (!(data[0] & 0x80) || data[0] & 0x70) return -1;
    bool masked = data[1] & 0x80;
    uint64_t size = data[1] & 0x7F;
    int extra = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (have < at + (size_t)extra) return 0;
    if (extra) size = 0;
    for (int i = 0; i < extra; i++) size = size << 8 | data[at++];
    if (size > 16u << 20) return -1;
    if (have < at + (masked ? 4 : 0) + size) return 0;
    if (masked) at += 4;
    frame->opcode = data[0] & 15;
    frame->payload = data + at;
    frame->size = size;
    if (masked) ws_mask(frame->payload, size, data + at - 4);
    in->start += at + size;
    return 1;
}

// MARK: JSON

struct text {
    const uint8_t *start;
    size_t size;
};

// The end of the string whose opening quote is at `at`: the place of its closing quote.
static inline const uint8_t *json_string_end(const uint8_t *at, const uint8_t *end) {
    const uint8_t *quote = at + 1;
    while ((quote = memchr(quote, '"', (size_t)(end - quote)))) {
        const uint8_t *slash = quote;
        while (slash[-1] == '\\') slash--;
        if ((quote - slash) % 2 == 0) return quote;
        quote++;
    }
    return NULL;
}

// The raw value of a member of the outermost object, strings without their quotes; false when it is not there.
static inline bool json_member(struct text json, const char *name, struct text *value) {
    const uint8_t *at = json.start, *end = json.start + json.size, *from = NULL;
    size_t length = strlen(name);
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '"') {
            const uint8_t *close = json_string_end(at, end);
            if (!close) return false;
            if (from) {
                if (depth == 1) return *value = (struct text){at + 1, (size_t)(close - at - 1)}, true;
            } else if (depth == 1 && (size_t)(close - at - 1) == length && memcmp(at + 1, name, length) == 0) {
                const uint8_t *colon = close + 1;
                while (colon < end && *colon == ' ') colon++;
                if (colon < end && *colon == ':') {
                    from = colon + 1;
                    while (from < end && *from == ' ') from++;
                    close = from - 1;
                }
            }
            at = close;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']' || *at == ',') {
            if (*at != ',') depth--;
            bool isNested = from && (*from == '{' || *from == '[');
            if (from && depth <= 1 && (!isNested || (depth == 1 && *at != ','))) {
                return *value = (struct text){from, (size_t)(at - from) + (isNested ? 1 : 0)}, true;
            }
        }
    }
    return false;
}

static inline bool text_is(struct text text, const char *expected) {
    return text.size == strlen(expected) && memcmp(text.start, expected, text.size) == 0;
}

#endif
