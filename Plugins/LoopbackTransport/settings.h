/* The settings of the virtual device, read from the host's JSON. */
#ifndef LOOPBACK_SETTINGS_H
#define LOOPBACK_SETTINGS_H

#include <stdint.h>

typedef struct settings {
    int32_t is_loopback;   /* "mode": "silence" (default): the microphone hears nothing; "loopback": it hears the speaker */
    uint32_t sample_rate;  /* "sampleRate": 8000 to 96000 frames per second, 48000 by default */
    uint32_t latency_ms;   /* "latencyMs": 10 to 500, the device's buffer, 40 by default */
} settings;

/* Reads a JSON object; unknown keys are ignored. 0, or -1 for text that is no object or a value that breaks the rules. */
int32_t settings_read(const char *text, settings *result);

#endif
