// SHA-1 (FIPS 180-4) of a short message, for the accept key of a WebSocket upgrade.
#ifndef BASELINE_SHA1_H
#define BASELINE_SHA1_H

#include <stdint.h>
#include <string.h>

static inline uint32_t sha1_rotate(uint32_t value, int by) { return value << by | value >> (32 - by); }

static inline void sha1_block(uint32_t state[5], const uint8_t *block) {
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 80; i++) {
        w[i] = i < 16 ? (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16
                | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3]
                      : sha1_rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 ? b ^ c ^ d : i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        uint32_t k = i < 20 ? 0x5A827999 : i < 40 ? 0x6ED9EBA1 : i < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
        uint32_t next = sha1_rotate(a, 5) + f + e + k + w[i];
        e = d, d = c, c = sha1_rotate(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

// `size` is at most 247.
static inline void sha1(const uint8_t *data, size_t size, uint8_t digest[20]) {
    uint32_t state[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    uint8_t message[256] = {0};
    size_t padded = (size + 8) / 64 * 64 + 64;
    memcpy(message, data, size);
    message[size] = 0x80;
    for (int i = 0; i < 8; i++) message[padded - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t at = 0; at < padded; at += 64) sha1_block(state, message + at);
    for (int i = 0; i < 20; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

#endif
