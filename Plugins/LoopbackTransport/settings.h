/* The settings of the virtual device, read from the host's JSON. */
#ifndef LOOPBACK_SETTINGS_H
#define LOOPBACK_SETTINGS_H

#include <stdint.h>

/* "wearer": what the wearer of the virtual display does with what is shown. */
typedef enum wearer {
    WEARER_LOOKS,    /* "looks" (default): nothing */
    WEARER_SELECTS,  /* "selects": the first node that can be selected */
    WEARER_GOES_BACK /* "back" */
} wearer;

/* "companion": what the vendor's companion does that the virtual device registers with. */
typedef enum companion_kind {
    COMPANION_NONE,    /* "none" (default): there is no registration */
    COMPANION_AGREES,  /* "agrees": to everything, at once */
    COMPANION_REFUSES, /* "refuses" */
    COMPANION_ASKS     /* "asks": a person, whose answer is the URL loopback://answer?yes or loopback://answer?no */
} companion_kind;

typedef struct settings {
    int32_t is_loopback;   /* "mode": "silence" (default): the microphone hears nothing; "loopback": it hears the speaker */
    uint32_t sample_rate;  /* "sampleRate": 8000 to 96000 frames per second, 48000 by default */
    uint32_t latency_ms;   /* "latencyMs": 10 to 500, the device's buffer, 40 by default */
    int32_t has_camera;    /* "camera": true or false (default) */
    int32_t has_display;   /* "display": true or false (default) */
    wearer wearer;
    companion_kind companion;
    int32_t has_reports;   /* "reports": true or false (default): battery, heat, hinges, worn, and one tap after each connect */
} settings;

/* Reads a JSON object; unknown keys are ignored. 0, or -1 for text that is no object or a value that breaks the rules. */
int32_t settings_read(const char *text, settings *result);

/* Reads what a camera's stream is asked for; "format" has to be "i420". 0, or -1. */
int32_t stream_settings_read(const char *text, uint32_t *width, uint32_t *height, uint32_t *frame_rate);

/* Whether the text is one JSON object and nothing else. 0, or -1. */
int32_t json_object_check(const char *text);

#endif
