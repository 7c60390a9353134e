/* Factory for speech synthesisers. */
#ifndef GLASSES_FACTORY_TEXT_TO_SPEECH_H
#define GLASSES_FACTORY_TEXT_TO_SPEECH_H

#include "../base.h"
#include "../host.h"

#define GLASSES_FACTORY_TTS "glasses.tts/1"

/* The host's side of one synthesiser; as glasses_transport_host. */
typedef struct GLASSES_SENDABLE glasses_tts_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* A block of mono audio at sampleRate, in order; the memory is valid only during the call. Answers OK to go on or
     * CANCELLED to end the request. [any] */
    glasses_result (*GLASSES_NONNULL on_audio)(
        void *GLASSES_NULLABLE ctx, glasses_request_id request, const int16_t *GLASSES_NONNULL samples, uint32_t count);

    /* The end of a request, exactly once. message explains an error. [any] */
    void (*GLASSES_NONNULL on_finished)(
        void *GLASSES_NULLABLE ctx, glasses_request_id request, glasses_result result, const char *GLASSES_NULLABLE message);
} glasses_tts_host;

typedef struct GLASSES_SENDABLE glasses_tts {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE instance;

    /* Loads libraries and voices; may take 3 s, once. [host] */
    glasses_result (*GLASSES_NONNULL activate)(void *GLASSES_NULLABLE instance);

    /* As glasses_transport.describe: {"name", "sampleRate": Hz, "voices": [...], "languages": [...]}. [host] */
    glasses_result (*GLASSES_NONNULL describe)(
        void *GLASSES_NULLABLE instance, char *GLASSES_NONNULL buffer, size_t capacity, size_t *GLASSES_NONNULL length);

    /* Speaks text, at most GLASSES_MESSAGE_MAX bytes. options is a JSON object: {"voice"?, "rate"?: 0.5...2 (1),
     * "pitch"?: -1...1 (0)}. BUSY when 64 requests wait. [any] */
    glasses_result (*GLASSES_NONNULL speak)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, const char *GLASSES_NONNULL text,
        const char *GLASSES_NONNULL options);

    /* Ends a request early: on_finished comes with CANCELLED. [any] */
    glasses_result (*GLASSES_NONNULL cancel)(void *GLASSES_NULLABLE instance, glasses_request_id request);

    /* Ends the engine within 2 s. [host] */
    void (*GLASSES_NONNULL destroy)(void *GLASSES_NULLABLE instance);
} glasses_tts;

typedef struct GLASSES_SENDABLE glasses_tts_factory {
    uint32_t size;
    uint32_t reserved;
    /* As glasses_transport_factory.create. [host] */
    glasses_result (*GLASSES_NONNULL create)(
        const glasses_tts_host *GLASSES_NONNULL host, const char *GLASSES_NONNULL settings,
        const glasses_tts *GLASSES_NULLABLE *GLASSES_NONNULL engine);
} glasses_tts_factory;

#endif
