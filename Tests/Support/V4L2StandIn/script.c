#include "v4l2_stand_in.h"

#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy_name(char to[33], const char *from) {
    snprintf(to, 33, "%s", from);
    for (char *c = to; *c; c++)
        if (*c == '_') *c = ' ';
}

static int read_offer(char *text, offer *o) {
    char name[5] = {0};
    int rest = 0;
    *o = (offer){0};
    if (sscanf(text, "%4[A-Z0-9]:%n", name, &rest) != 1 || rest == 0 || strlen(name) != 4) return -1;
    o->pixels = v4l2_fourcc(name[0], name[1], name[2], name[3]);
    if (strcmp(text + rest, "*") == 0) return 0;
    int size = 0;
    if (sscanf(text + rest, "%ux%u@%n", &o->width, &o->height, &size) != 2 || size == 0) return -1;
    char *mark = NULL;
    for (char *rate = strtok_r(text + rest + size, "+", &mark); rate; rate = strtok_r(NULL, "+", &mark)) {
        if (o->rate_count == RATES_MAX) return -1;
        o->rates[o->rate_count++] = (uint32_t)atoi(rate);
    }
    return o->rate_count > 0 ? 0 : -1;
}

static int read_offers(char *text, camera *c) {
    char *mark = NULL;
    for (char *one = strtok_r(text, ",", &mark); one; one = strtok_r(NULL, ",", &mark))
        if (c->offer_count == FORMATS_MAX || read_offer(one, &c->offers[c->offer_count++]) != 0) return -1;
    return 0;
}

static int read_number(camera *c, const char *word, int64_t value) {
    const struct { const char *name; int64_t *place; } numbers[] = {
        {"unplug", &c->unplug}, {"away", &c->away_ms}, {"stall", &c->stall}, {"half", &c->half},
        {"back", &c->back}, {"broken", &c->broken}, {"lose", &c->lose},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(word, numbers[i].name) == 0) return *numbers[i].place = value, 0;
    if (strcmp(word, "pad") == 0) return c->pad = (uint32_t)value, 0;
    return -1;
}

static int read_flag(camera *c, const char *word) {
    const struct { const char *name; int *place; } flags[] = {
        {"refuse", &c->refuses}, {"busy", &c->is_busy}, {"hang", &c->hangs}, {"other", &c->makes_other},
        {"metadata", &c->is_metadata}, {"mute", &c->is_mute}, {"stepless", &c->hides_rates}, {"clock", &c->has_other_clock},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(word, flags[i].name) == 0) return *flags[i].place = 1, 0;
    return -1;
}

static int read_word(camera *c, char *word) {
    char *value = strchr(word, '=');
    if (!value) return read_flag(c, word);
    *value++ = 0;
    if (strcmp(word, "card") == 0) return copy_name(c->card, value), 0;
    if (strcmp(word, "bus") == 0) return copy_name(c->bus, value), 0;
    if (strcmp(word, "formats") == 0) return read_offers(value, c);
    return read_number(c, word, atoll(value));
}

static int read_camera(char *line, camera *c) {
    char *mark = NULL;
    *c = (camera){
        .unplug = NEVER, .away_ms = NEVER, .stall = NEVER, .half = NEVER, .back = NEVER, .broken = NEVER, .lose = NEVER,
        .fd = -1, .memory = -1, .rate = 30,
    };
    char *word = strtok_r(line, " ", &mark);
    if (!word) return -1;
    c->node = atoi(word);
    while ((word = strtok_r(NULL, " ", &mark)))
        if (read_word(c, word) != 0) return -1;
    return 0;
}

int script_read(const char *text, camera *cameras) {
    char *copy = strdup(text), *mark = NULL;
    int count = 0;
    if (!copy) return -1;
    for (char *line = strtok_r(copy, "\n", &mark); line && count >= 0; line = strtok_r(NULL, "\n", &mark)) {
        if (count == CAMERAS_MAX || read_camera(line, &cameras[count]) != 0) count = -1;
        else count++;
    }
    free(copy);
    return count;
}
