/* The audio processing of libwebrtc-audio-processing 0.3, seen from C.
 *
 * The library is C++ and is opened at run time, so that a machine without it still has a microphone. No exception leaves
 * these functions: whatever goes wrong is a result. A processor belongs to one thread at a time; the library locks inside,
 * so that thread must not be an [audio] thread.
 */
#ifndef CWEBRTCAUDIO_H
#define CWEBRTCAUDIO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call answers. */
#define CWEBRTC_OK 0
#define CWEBRTC_LIBRARY_MISSING -1      /* the library cannot be loaded */
#define CWEBRTC_LIBRARY_INCOMPATIBLE -2 /* it lacks what version 0.3 has */
#define CWEBRTC_OUT_OF_MEMORY -3
#define CWEBRTC_UNSUPPORTED -4 /* a rate or level that the library does not have */
#define CWEBRTC_FAILED -5      /* the library refused the call */

/* The library's file name: version 0.3 of Debian 12. */
#define CWEBRTC_LIBRARY "libwebrtc_audio_processing.so.1"

/* What a processor does. */
typedef struct cwebrtc_settings {
    uint32_t sample_rate;       /* 16000 or 48000, mono; the library refuses 24000 */
    uint8_t echo_cancellation;  /* 0 or 1; 1 with DelayAgnostic and ExtendedFilter */
    uint8_t noise_suppression;  /* 0 off, 1 low, 2 moderate, 3 high */
    uint8_t automatic_gain;     /* 0 or 1: adaptive digital gain with a limiter */
    uint8_t reserved;
} cwebrtc_settings;

typedef struct cwebrtc_processor cwebrtc_processor;

/* Makes a processor with the library called `library`. *processor belongs to the caller, who ends it by cwebrtc_destroy;
 * it is NULL unless the answer is CWEBRTC_OK. May take some milliseconds. [any] */
int32_t cwebrtc_create(
    const char *_Nonnull library, const cwebrtc_settings *_Nonnull settings,
    cwebrtc_processor *_Nullable *_Nonnull processor);

/* Processes 10 ms of the microphone in place. `reference` is what was played at that time; `delay_ms`, clamped to 0…500,
 * says how much later than `reference` its echo is expected. After any other answer than CWEBRTC_OK, `microphone` is as it
 * was. The processor's thread. */
int32_t cwebrtc_process(
    cwebrtc_processor *_Nonnull processor, const int16_t *_Nonnull reference, int16_t *_Nonnull microphone,
    int32_t delay_ms);

/* Ends a processor. [any], once */
void cwebrtc_destroy(cwebrtc_processor *_Nullable processor);

#ifdef __cplusplus
}
#endif

#endif
