/* SHA-256 of FIPS 180-4. In C, so that a build for debugging hashes a model of 30 MB in a third of a second; no cryptographic
 * library is linked for digests of files.
 */
#ifndef CDIGEST_H
#define CDIGEST_H

#include <stddef.h>
#include <stdint.h>

/* A digest under way; its members are private. */
typedef struct cdigest_sha256 {
    uint32_t state[8];
    uint64_t length;
    uint8_t pending[64];
} cdigest_sha256;

/* Begins a digest. [any] */
void cdigest_sha256_begin(cdigest_sha256 *_Nonnull digest);

/* Adds count bytes; NULL with 0 adds nothing. [any] */
void cdigest_sha256_add(cdigest_sha256 *_Nonnull digest, const void *_Nullable bytes, size_t count);

/* Ends a digest and writes its 32 bytes. [any] */
void cdigest_sha256_end(cdigest_sha256 *_Nonnull digest, uint8_t *_Nonnull result);

#endif
