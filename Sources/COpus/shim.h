/* Opus for Swift. Its control call is variadic, which Swift does not import, so each use has a call with a fixed signature.
 * https://opus-codec.org/docs/ */
#ifndef EXTENTOS_COPUS_H
#define EXTENTOS_COPUS_H

#include <opus/opus.h>

/* Bits a second. Answers OPUS_OK or an error. */
static inline int copus_set_bitrate(OpusEncoder *_Nonnull encoder, opus_int32 bitrate) {
    return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bitrate));
}

/* Every packet has the same size, whatever is said. Answers OPUS_OK or an error. */
static inline int copus_set_constant_bitrate(OpusEncoder *_Nonnull encoder) {
    return opus_encoder_ctl(encoder, OPUS_SET_VBR(0));
}

/* The sound is speech. Answers OPUS_OK or an error. */
static inline int copus_set_voice(OpusEncoder *_Nonnull encoder) {
    return opus_encoder_ctl(encoder, OPUS_SET_SIGNAL(OPUS_SIGNAL_VOICE));
}

/* No forward error correction, no discontinuous transmission. Answers OPUS_OK or an error. */
static inline int copus_set_no_repair(OpusEncoder *_Nonnull encoder) {
    int code = opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(0));
    return code == OPUS_OK ? opus_encoder_ctl(encoder, OPUS_SET_DTX(0)) : code;
}

/* As after its creation, with the same settings. Answers OPUS_OK or an error. */
static inline int copus_reset_encoder(OpusEncoder *_Nonnull encoder) {
    return opus_encoder_ctl(encoder, OPUS_RESET_STATE);
}

/* As after its creation. Answers OPUS_OK or an error. */
static inline int copus_reset_decoder(OpusDecoder *_Nonnull decoder) {
    return opus_decoder_ctl(decoder, OPUS_RESET_STATE);
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
