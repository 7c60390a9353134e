/* Factory for speech recognisers.
 *
 * An engine works on a thread of its own; every call is accepted or refused at once. Utterances are worked off in order.
 */
#ifndef GLASSES_FACTORY_SPEECH_TO_TEXT_H
#define GLASSES_FACTORY_SPEECH_TO_TEXT_H

#include "../base.h"
#include "../host.h"

#define GLASSES_FACTORY_STT "glasses.stt/1"

/* The host's side of one recogniser; as glasses_transport_host. */
typedef struct GLASSES_SENDABLE glasses_stt_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* A partial text of an utterance that is still open. [any] */
    void (*GLASSES_NONNULL on_partial)(
        void *GLASSES_NULLABLE ctx, glasses_request_id utterance, const char *GLASSES_NONNULL text, double confidence);

    /* The end of an utterance, exactly once for each that was begun. text is the words ("" when none were understood) if
     * result is OK, else a sentence that says what failed. confidence is 0 to 1. [any] */
    void (*GLASSES_NONNULL on_finished)(
        void *GLASSES_NULLABLE ctx, glasses_request_id utterance, glasses_result result, const char *GLASSES_NONNULL text,
        double confidence);
} glasses_stt_host;

typedef struct GLASSES_SENDABLE glasses_stt {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE instance;

    /* Loads libraries and models; may take 3 s, once. UNAVAILABLE when a file is missing, which the log names. [host] */
    glasses_result (*GLASSES_NONNULL activate)(void *GLASSES_NULLABLE instance);

    /* As glasses_transport.describe: {"name", "sampleRate": Hz, "languages": [...], "model"}. [host] */
    glasses_result (*GLASSES_NONNULL describe)(
        void *GLASSES_NULLABLE instance, char *GLASSES_NONNULL buffer, size_t capacity, size_t *GLASSES_NONNULL length);

    /* Begins an utterance. BUSY when 8 are open. [any] */
    glasses_result (*GLASSES_NONNULL begin)(void *GLASSES_NULLABLE instance, glasses_request_id utterance);

    /* Copies count mono frames at sampleRate. BUSY when 60 s are waiting: nothing was taken. [any] */
    glasses_result (*GLASSES_NONNULL push)(
        void *GLASSES_NULLABLE instance, glasses_request_id utterance, const int16_t *GLASSES_NONNULL samples, uint32_t count);

    /* The utterance is complete. [any] */
    glasses_result (*GLASSES_NONNULL finish)(void *GLASSES_NULLABLE instance, glasses_request_id utterance);

    /* Drops the utterance: on_finished comes with CANCELLED. [any] */
    glasses_result (*GLASSES_NONNULL cancel)(void *GLASSES_NULLABLE instance, glasses_request_id utterance);

    /* Ends the engine within 2 s; open utterances finish with CANCELLED. [host] */
    void (*GLASSES_NONNULL destroy)(void *GLASSES_NULLABLE instance);
} glasses_stt;

typedef struct GLASSES_SENDABLE glasses_stt_factory {
    uint32_t size;
    uint32_t reserved;
    /* As glasses_transport_factory.create. [host] */
    glasses_result (*GLASSES_NONNULL create)(
        const glasses_stt_host *GLASSES_NONNULL host, const char *GLASSES_NONNULL settings,
        const glasses_stt *GLASSES_NULLABLE *GLASSES_NONNULL engine);
} glasses_stt_factory;

#endif
