#include "settings.h"

#include <stdlib.h>
#include <string.h>

enum { TOKEN_MAX = 32, DEPTH_MAX = 128 };

typedef struct reader {
    const char *at;
} reader;

static void skip_space(reader *r) {
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') r->at++;
}

static int32_t take(reader *r, char wanted) {
    skip_space(r);
    if (*r->at != wanted) return 0;
    r->at++;
    return 1;
}

/* A string into token, cut to what any known word needs; escapes are kept as they are, since no known word has one. */
static int32_t read_string(reader *r, char token[TOKEN_MAX]) {
    size_t length = 0;
    if (!take(r, '"')) return -1;
    while (*r->at != '"') {
        if ((unsigned char)*r->at < 0x20) return -1;
        if (*r->at == '\\' && r->at[1] != '\0') r->at++;
        if (length + 1 < TOKEN_MAX) token[length++] = *r->at;
        r->at++;
    }
    r->at++;
    token[length] = '\0';
    return 0;
}

/* Leaves out one value of any kind. */
static int32_t skip_value(reader *r, int32_t depth) {
    char token[TOKEN_MAX];
    skip_space(r);
    if (depth > DEPTH_MAX) return -1;
    if (*r->at == '"') return read_string(r, token);
    if (*r->at == '{' || *r->at == '[') {
        int32_t is_object = *r->at == '{';
        char end = is_object ? '}' : ']';
        r->at++;
        if (take(r, end)) return 0;
        do {
            if (is_object && (read_string(r, token) != 0 || !take(r, ':'))) return -1;
            if (skip_value(r, depth + 1) != 0) return -1;
        } while (take(r, ','));
        return take(r, end) ? 0 : -1;
    }
    size_t length = strcspn(r->at, ",]} \t\r\n");
    r->at += length;
    return length > 0 ? 0 : -1;
}

static int32_t read_number(reader *r, uint32_t least, uint32_t most, uint32_t *value) {
    char *end;
    skip_space(r);
    double number = strtod(r->at, &end);
    if (end == r->at || !(number >= least && number <= most)) return -1;
    r->at = end;
    *value = (uint32_t)number;
    return 0;
}

static int32_t read_mode(reader *r, settings *result) {
    char mode[TOKEN_MAX];
    if (read_string(r, mode) != 0) return -1;
    if (strcmp(mode, "loopback") != 0 && strcmp(mode, "silence") != 0) return -1;
    result->is_loopback = mode[0] == 'l';
    return 0;
}

static int32_t read_bool(reader *r, int32_t *value) {
    skip_space(r);
    *value = strncmp(r->at, "true", 4) == 0;
    if (!*value && strncmp(r->at, "false", 5) != 0) return -1;
    r->at += *value ? 4 : 5;
    return 0;
}

static int32_t read_wearer(reader *r, wearer *result) {
    char word[TOKEN_MAX];
    if (read_string(r, word) != 0) return -1;
    if (strcmp(word, "looks") == 0) *result = WEARER_LOOKS;
    else if (strcmp(word, "selects") == 0) *result = WEARER_SELECTS;
    else if (strcmp(word, "back") == 0) *result = WEARER_GOES_BACK;
    else return -1;
    return 0;
}

static int32_t read_companion(reader *r, companion_kind *result) {
    char word[TOKEN_MAX];
    if (read_string(r, word) != 0) return -1;
    if (strcmp(word, "none") == 0) *result = COMPANION_NONE;
    else if (strcmp(word, "agrees") == 0) *result = COMPANION_AGREES;
    else if (strcmp(word, "refuses") == 0) *result = COMPANION_REFUSES;
    else if (strcmp(word, "asks") == 0) *result = COMPANION_ASKS;
    else return -1;
    return 0;
}

static int32_t read_member(reader *r, void *target) {
    settings *result = target;
    char key[TOKEN_MAX];
    if (read_string(r, key) != 0 || !take(r, ':')) return -1;
    if (strcmp(key, "mode") == 0) return read_mode(r, result);
    if (strcmp(key, "sampleRate") == 0) return read_number(r, 8000, 96000, &result->sample_rate);
    if (strcmp(key, "latencyMs") == 0) return read_number(r, 10, 500, &result->latency_ms);
    if (strcmp(key, "camera") == 0) return read_bool(r, &result->has_camera);
    if (strcmp(key, "display") == 0) return read_bool(r, &result->has_display);
    if (strcmp(key, "wearer") == 0) return read_wearer(r, &result->wearer);
    if (strcmp(key, "companion") == 0) return read_companion(r, &result->companion);
    if (strcmp(key, "reports") == 0) return read_bool(r, &result->has_reports);
    return skip_value(r, 0);
}

/* Reads an object, each member by read, and nothing after it. */
static int32_t read_object(const char *text, int32_t (*read)(reader *, void *), void *target) {
    reader r = {text};
    if (!take(&r, '{')) return -1;
    if (!take(&r, '}')) {
        do {
            if (read(&r, target) != 0) return -1;
        } while (take(&r, ','));
        if (!take(&r, '}')) return -1;
    }
    skip_space(&r);
    return *r.at == '\0' ? 0 : -1;
}

static int32_t skip_member(reader *r, void *ignored) {
    char key[TOKEN_MAX];
    (void)ignored;
    return read_string(r, key) == 0 && take(r, ':') ? skip_value(r, 0) : -1;
}

int32_t json_object_check(const char *text) { return read_object(text, skip_member, NULL); }

int32_t settings_read(const char *text, settings *result) {
    *result = (settings){.sample_rate = 48000, .latency_ms = 40};
    return read_object(text, read_member, result);
}

typedef struct stream_settings {
    uint32_t width;
    uint32_t height;
    uint32_t frame_rate;
    int32_t has_format;
} stream_settings;

static int32_t read_stream_member(reader *r, void *target) {
    stream_settings *result = target;
    char key[TOKEN_MAX], format[TOKEN_MAX];
    if (read_string(r, key) != 0 || !take(r, ':')) return -1;
    if (strcmp(key, "width") == 0) return read_number(r, 1, 8192, &result->width);
    if (strcmp(key, "height") == 0) return read_number(r, 1, 8192, &result->height);
    if (strcmp(key, "frameRate") == 0) return read_number(r, 1, 1000, &result->frame_rate);
    if (strcmp(key, "format") != 0) return skip_value(r, 0);
    if (read_string(r, format) != 0) return -1;
    result->has_format = strcmp(format, "i420") == 0;
    return 0;
}

int32_t stream_settings_read(const char *text, uint32_t *width, uint32_t *height, uint32_t *frame_rate) {
    stream_settings read = {0};
    if (read_object(text, read_stream_member, &read) != 0) return -1;
    *width = read.width;
    *height = read.height;
    *frame_rate = read.frame_rate;
    return read.has_format && read.width && read.height && read.frame_rate ? 0 : -1;
}
