/* Opus for Swift. Its control call is variadic, which Swift does not import, so each use has a call with a fixed signature.
 * https://opus-codec.org/docs/ */
#ifndef EXTENTOS_COPUS_H
#define EXTENTOS_COPUS_H

#include <opus/opus.h>

/* Bits a second. Answers OPUS_OK or an error. */
static inline int copus_set_bitrate(OpusEncoder *_Nonnull encoder, opus_int32 bitrate) {
    return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bitrate));
}

/* From 0, fast, to 10, best. Answers OPUS_OK or an error. */
static inline int copus_set_complexity(OpusEncoder *_Nonnull encoder, opus_int32 complexity) {
    return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
}

/* Samples at the encoder's rate that a decoder has to leave out at the beginning. Answers OPUS_OK or an error. */
static inline int copus_get_lookahead(OpusEncoder *_Nonnull encoder, opus_int32 *_Nonnull samples) {
    return opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(samples));
}

#endif
