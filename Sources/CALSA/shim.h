/* libasound, and the parts of its use that are variadic, macro-only or a matter of several calls. */
#ifndef CALSA_SHIM_H
#define CALSA_SHIM_H

#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Opens `name` through ALSA's plug layer, which converts rate, format and channels, without blocking for a busy device.
 * `definition` is a configuration text that defines the PCM called `name`; it is read beside a private copy of the
 * system's configuration, so that nothing else of the process sees it. The plug layer reads that copy again when it is
 * configured: *configuration belongs to the caller, who frees it by snd_config_delete after snd_pcm_close.
 * Answers 0 or a negative errno value, and then leaves nothing behind. [any] */
static inline int calsa_open(
    snd_pcm_t *_Nullable *_Nonnull pcm, snd_config_t *_Nullable *_Nonnull configuration, const char *_Nonnull definition,
    const char *_Nonnull name, snd_pcm_stream_t stream) {
    snd_config_t *system = NULL, *own = NULL;
    snd_input_t *input = NULL;
    int result = snd_config_update_ref(&system);
    if (result < 0) return result;
    result = snd_config_copy(&own, system);
    snd_config_unref(system);
    if (result < 0) return result;
    result = snd_input_buffer_open(&input, definition, (ssize_t)strlen(definition));
    if (result >= 0) {
        result = snd_config_load(own, input);
        snd_input_close(input);
    }
    if (result >= 0) result = snd_pcm_open_lconf(pcm, name, stream, SND_PCM_NONBLOCK, own);
    if (result < 0) {
        snd_config_delete(own);
        return result;
    }
    *configuration = own;
    return 0;
}

/* libasound prints errors to stderr unless it is given a handler, and calls it on the thread that met the error, an
 * audio thread too. This one only formats into a free slot; calsa_next_line takes the lines out on a thread that may log.
 * All of it lives in one object file as long as one source file uses it. */
#define CALSA_LINES 16
#define CALSA_LINE_BYTES 256

typedef struct calsa_line {
    uint32_t state; /* atomic: 0 free, 1 being written, 2 ready */
    char text[CALSA_LINE_BYTES];
} calsa_line;

/* A static inside a function, because Swift's importer emits functions of a header but no variables. */
static inline calsa_line *_Nonnull calsa_lines(void) {
    static calsa_line lines[CALSA_LINES];
    return lines;
}

static inline void calsa_note(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file;
    (void)line;
    for (int slot = 0; slot < CALSA_LINES; slot++) {
        uint32_t isFree = 0;
        if (!__atomic_compare_exchange_n(
                &calsa_lines()[slot].state, &isFree, 1u, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        char *text = calsa_lines()[slot].text;
        int used = snprintf(text, CALSA_LINE_BYTES, "%s: ", function ? function : "alsa");
        if (used < 0 || used >= CALSA_LINE_BYTES) used = 0;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text + used, (size_t)(CALSA_LINE_BYTES - used), format, arguments);
        va_end(arguments);
        if (error) {
            size_t length = strlen(text);
            snprintf(text + length, CALSA_LINE_BYTES - length, " (%d)", error);
        }
        __atomic_store_n(&calsa_lines()[slot].state, 2u, __ATOMIC_RELEASE);
        return;
    }
}

/* Makes libasound keep its messages for calsa_next_line, for the whole process. [any] */
static inline void calsa_keep_messages(void) { snd_lib_error_set_handler(calsa_note); }

/* Copies a kept message into `text` and frees its place; 0 when there is none. Messages beyond CALSA_LINES are lost. [any] */
static inline int calsa_next_line(char *_Nonnull text, size_t size) {
    for (int slot = 0; slot < CALSA_LINES; slot++) {
        uint32_t isReady = 2;
        if (!__atomic_compare_exchange_n(
                &calsa_lines()[slot].state, &isReady, 1u, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        snprintf(text, size, "%s", calsa_lines()[slot].text);
        __atomic_store_n(&calsa_lines()[slot].state, 0u, __ATOMIC_RELEASE);
        return 1;
    }
    return 0;
}

#endif
