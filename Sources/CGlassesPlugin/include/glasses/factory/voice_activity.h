/* Factory for voice activity detectors: how likely it is, piece by piece of a stream, that somebody speaks.
 *
 * An engine works on a thread of its own; every call is accepted or refused at once. A stream's judgements come in the order
 * of its audio, without gaps and soon after it: who listens falls back on another judge when they lag by 300 ms.
 */
#ifndef GLASSES_FACTORY_VOICE_ACTIVITY_H
#define GLASSES_FACTORY_VOICE_ACTIVITY_H

#include "../base.h"
#include "../host.h"

#define GLASSES_FACTORY_VAD "glasses.vad/1"

/* The host's side of one detector; as glasses_transport_host. */
typedef struct GLASSES_SENDABLE glasses_vad_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* Somebody speaks in the frames first_frame ..< first_frame + frames of the stream with the given probability, 0 to 1.
     * Frames count what was pushed since begin. The next judgement begins where this one ended, or behind a reset. [any] */
    void (*GLASSES_NONNULL on_activity)(
        void *GLASSES_NULLABLE ctx, glasses_request_id stream, uint64_t first_frame, uint32_t frames, double probability);

    /* The stream is over by itself: it is not judged any more and must not be ended. At most once; message is a sentence
     * that says what failed. [any] */
    void (*GLASSES_NONNULL on_failed)(
        void *GLASSES_NULLABLE ctx, glasses_request_id stream, glasses_result result, const char *GLASSES_NULLABLE message);
} glasses_vad_host;

typedef struct GLASSES_SENDABLE glasses_vad {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE instance;

    /* Loads libraries and models; may take 3 s, once. UNAVAILABLE when a file is missing, which the log names. [host] */
    glasses_result (*GLASSES_NONNULL activate)(void *GLASSES_NULLABLE instance);

    /* As glasses_transport.describe: {"name", "sampleRate": Hz, "model"?}. [host] */
    glasses_result (*GLASSES_NONNULL describe)(
        void *GLASSES_NULLABLE instance, char *GLASSES_NONNULL buffer, size_t capacity, size_t *GLASSES_NONNULL length);

    /* Begins a stream. BUSY when 8 are open. [any] */
    glasses_result (*GLASSES_NONNULL begin)(void *GLASSES_NULLABLE instance, glasses_request_id stream);

    /* Copies count mono frames at sampleRate; what makes no whole piece yet waits for more. BUSY when 2 s are waiting:
     * nothing was taken. [any] */
    glasses_result (*GLASSES_NONNULL push)(
        void *GLASSES_NULLABLE instance, glasses_request_id stream, const int16_t *GLASSES_NONNULL samples, uint32_t count);

    /* Forgets what was heard, and the frames that wait: the next frame begins a new sound. Counting goes on. [any] */
    glasses_result (*GLASSES_NONNULL reset)(void *GLASSES_NULLABLE instance, glasses_request_id stream);

    /* Ends the stream; frames that wait are dropped. A judgement that is under way may still come. [any] */
    glasses_result (*GLASSES_NONNULL end)(void *GLASSES_NULLABLE instance, glasses_request_id stream);

    /* Ends the engine, and with it every stream, within 2 s. [host] */
    void (*GLASSES_NONNULL destroy)(void *GLASSES_NULLABLE instance);
} glasses_vad;

typedef struct GLASSES_SENDABLE glasses_vad_factory {
    uint32_t size;
    uint32_t reserved;
    /* As glasses_transport_factory.create. [host] */
    glasses_result (*GLASSES_NONNULL create)(
        const glasses_vad_host *GLASSES_NONNULL host, const char *GLASSES_NONNULL settings,
        const glasses_vad *GLASSES_NULLABLE *GLASSES_NONNULL engine);
} glasses_vad_factory;

#endif
