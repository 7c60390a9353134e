/* openh264's encoder for Swift. Its C interface is a table of functions behind a pointer to a pointer; each has a function here.
 * Nothing is linked: the two functions that make and destroy an encoder are looked up in the library at run time.
 * https://github.com/cisco/openh264/wiki/ISVCEncoder */
#ifndef EXTENTOS_COPENH264_H
#define EXTENTOS_COPENH264_H

#include <wels/codec_api.h>
#include <wels/codec_ver.h>

/* WelsCreateSVCEncoder, WelsDestroySVCEncoder and WelsGetCodecVersionEx. */
typedef int (*copenh264_create)(ISVCEncoder *_Nullable *_Nonnull encoder);
typedef void (*copenh264_destroy)(ISVCEncoder *_Nonnull encoder);
typedef void (*copenh264_version)(OpenH264Version *_Nonnull version);

/* Fills in every parameter. Answers 0 or an error, as all of these do. */
static inline int copenh264_get_defaults(ISVCEncoder *_Nonnull encoder, SEncParamExt *_Nonnull parameters) {
    return (*encoder)->GetDefaultParams(encoder, parameters);
}

/* Once, before the first frame. */
static inline int copenh264_initialize(ISVCEncoder *_Nonnull encoder, const SEncParamExt *_Nonnull parameters) {
    return (*encoder)->InitializeExt(encoder, parameters);
}

/* Before the encoder is destroyed. */
static inline int copenh264_uninitialize(ISVCEncoder *_Nonnull encoder) { return (*encoder)->Uninitialize(encoder); }

/* Encodes a frame. What `stream` points at is the encoder's, until the next call. */
static inline int copenh264_encode(
    ISVCEncoder *_Nonnull encoder, const SSourcePicture *_Nonnull picture, SFrameBSInfo *_Nonnull stream) {
    return (*encoder)->EncodeFrame(encoder, picture, stream);
}

/* Makes the next frame one that can be decoded alone. The header's C half lacks the last parameter, the layer, which the library
 * reads; -1 is all of them. */
static inline int copenh264_force_key_frame(ISVCEncoder *_Nonnull encoder) {
    typedef int (*force)(ISVCEncoder *, bool, int);
    return ((force)(*encoder)->ForceIntraFrame)(encoder, true, -1);
}

/* How much the library writes to standard error: WELS_LOG_QUIET for nothing. */
static inline int copenh264_set_trace(ISVCEncoder *_Nonnull encoder, int level) {
    return (*encoder)->SetOption(encoder, ENCODER_OPTION_TRACE_LEVEL, &level);
}

/* The layer with this number; there are `stream->iLayerNum`. */
static inline const SLayerBSInfo *_Nonnull copenh264_layer(const SFrameBSInfo *_Nonnull stream, int number) {
    return &stream->sLayerInfo[number];
}

#endif
