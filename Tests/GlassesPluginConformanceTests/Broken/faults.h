/* The faults that broken.c can have, and what plugins of every kind share. */
#ifndef BROKEN_FAULTS_H
#define BROKEN_FAULTS_H

#include <CGlassesPlugin.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <settings.h> /* of the loopback transport: a JSON reader is needed, and is not what is tested here */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum fault {
    INTACT,
    /* entry and file */
    EXTRA_SYMBOL, OFFERS_UNNAMED, NO_ENTRY, NULL_ENTRY, ABORTS_ON_LOAD, EXITS_ON_LOAD, HANGS_ON_LOAD, WRONG_MAGIC, SMALL_ENTRY,
    NULL_SHUTDOWN, OTHER_ABI, MOVING_ENTRY, REFUSES_TO_ACTIVATE, CRASHES_ON_ACTIVATE, HANGS_ON_ACTIVATE, OPENS_DEVICE,
    REFUSES_NEWER_HOST, ACCEPTS_OTHER_MAJOR, IGNORES_HOST_SIZE, NEEDS_LOG, PREFIX_FACTORY, SMALL_FACTORY, LEAVES_THREAD,
    HANGS_ON_SHUTDOWN, NEEDS_FILE /* named by -DNEEDED; no promise is broken by that */,
    /* instances */
    NULL_FUNCTION, SMALL_TABLE, NO_INSTANCE, CRASHES_IN_CREATE, STRICT_SETTINGS, SHORT_SETTINGS, RECURSES_SETTINGS,
    ANY_SETTINGS, REFUSES_NEWER_CALLBACKS, IGNORES_CALLBACKS_SIZE, FAILS_TO_ACTIVATE, HANGS_IN_INSTANCE, NOT_JSON, NO_RATE,
    WRONG_LENGTH, OVERRUNS_BUFFER, CHANGING_FACTS, SLOW_DESTROY, CALLS_AFTER_DESTROY, CRASHES_EARLY, SHARED_LIFE,
    LEAKS_INSTANCE, LEAKS_DESCRIPTOR, LAST_INSTANCE, UNLISTED_CAPABILITY /* of the manifest: the code is intact */,
    /* transport */
    MISSING_EXTENSION, SMALL_EXTENSION, ANY_EXTENSION, NEVER_CONNECTS, CRASHES_IN_CONNECT, HANGS_IN_CONNECT, SILENT_CONNECT,
    NEVER_DISCONNECTS, NO_CAUSE, CONNECTS_ONCE, ANY_DEVICE, LEAKS_PER_CONNECT, COMPLETES_TWICE, ENDS_REFUSED, SLOW_CONNECT,
    UNKNOWN_STATE, EVENT_NOT_JSON, EVENT_NOT_UTF8, EVENT_TOO_LONG, CALLS_FROM_AUDIO, SLOW_DESTROY_CONNECTED, FORGETS_PENDING,
    /* streams */
    NEVER_STARTS, STARTS_UNCONNECTED, STARTS_TWICE, STARTS_AFTER_DISCONNECT, TOUCHES_AFTER_STOP, NEVER_STOPS, STARTS_ONCE,
    DISCONNECT_KEEPS_STREAM, DESTROY_KEEPS_STREAM, LEAKS_PER_START, NO_SAMPLES, LONG_BLOCKS, NO_TIMES, WALL_CLOCK, FAST_TIMES,
    FORGETS_WAKE, OVERWRITES, FORGETS_DROPPED, WRITES_PAST_END, CHANGES_RATE,
    NEVER_PLAYS, AHEAD, PLAYS_TOO_FAST, REPORTS_RARELY, COUNTS_SILENCE, CHANGES_SAMPLES, IGNORES_FLUSH, FLUSH_KEEPS_SOUND,
    FLUSH_ON_HOST_ONLY, FIRST_FLUSH_WINS, MUTE_AFTER_FLUSH,
    /* camera and display */
    NO_FIRST_FRAME, CAMERA_UNCONNECTED, CAMERA_TWICE, ANY_CONFIGURATION, NARROW_STRIDE, PLANE_OUTSIDE, OTHER_SIZE, OTHER_FORMAT,
    SAME_TIME, SAME_NUMBER, CAMERA_FORGETS_WAKE, TOO_MANY_FRAMES, KEEPS_OLDEST, WRITES_READ_SLOT, WRITES_PAST_SLOTS, CAMERA_TOUCHES_AFTER_STOP,
    CAMERA_ONCE, CAMERA_OUTLIVES_DISCONNECT, CAMERA_OUTLIVES_INSTANCE, LEAKS_PER_STREAM, NO_PHOTO, PHOTO_NO_JPEG, PHOTO_ENDS_TWICE,
    NEVER_SHOWS, NEVER_CLEARS, SHOWS_UNCONNECTED, ANY_TREE, STRICT_TREE, NO_TREE_LIMIT, SHOWS_TWICE,
    /* registration, power and input */
    NO_REGISTRATION_STATE, ANSWERS_TWICE, ANY_PERMISSION, TAKES_ANY_URL, NO_URL_LIMIT, PERMISSION_ENDS_TWICE, WILD_BATTERY,
    WILD_GESTURE,
    /* engines */
    NO_LANGUAGES, FAILS, ENDS_TWICE, CALLS_AFTER_END, NEWEST_FIRST, TEXT_NOT_UTF8, WILD_CONFIDENCE, UNKNOWN_RESULT,
    KEEPS_POINTER, SLOW_CALL, NO_LIMIT, LOW_LIMIT, NO_AUDIO_LIMIT, LOW_AUDIO_LIMIT, ANSWERS_GONE, CANCEL_IS_OK, FORGETS_OPEN,
    LEAKS_REQUEST, ONE_THREAD_ONLY, NO_AUDIO, STRICT_OPTIONS, ANY_OPTIONS, NO_TEXT_LIMIT, IGNORES_REFUSAL,
    NO_JUDGEMENTS, GAPS, WILD_PROBABILITY, IGNORES_RESET, JUDGES_AFTER_END,
};
#ifndef BREAK
#define BREAK INTACT
#endif
#define IF(fault) if (BREAK == (fault))
#define IS(fault) (BREAK == (fault))

static void hang(void) { for (;;) pause(); }
static void crash(void) { *(volatile int *)0 = 1; }
static void pause_ms(int64_t ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) {
    }
}
static int64_t now_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
static void signal_fd(int32_t fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}
static void leak(void) { memset(malloc(65536), 1, 65536); }

static int32_t device_fd = -1;
static int instances_ended;
static pthread_t host_thread;

static int recurse(const char *text) {
    volatile char frame[2048];
    frame[0] = *text;
    return *text == '[' ? recurse(text + 1) + frame[0] : 0;
}

/* What create of every kind does with its arguments. */
static glasses_result check_creation(uint32_t size, uint32_t known, const char *text) {
    settings ignored;
    IF(CRASHES_IN_CREATE) crash();
    IF(REFUSES_NEWER_CALLBACKS) if (size != known) return GLASSES_ERROR_VERSION;
    if (size < known && !IS(IGNORES_CALLBACKS_SIZE)) return GLASSES_ERROR_VERSION;
    IF(STRICT_SETTINGS) if (strstr(text, "unknown") && strlen(text) < 4096) return GLASSES_ERROR_INVALID;
    IF(SHORT_SETTINGS) if (strlen(text) > 4096) return GLASSES_ERROR_INVALID;
    IF(RECURSES_SETTINGS) if (strstr(text, "[[")) recurse(strstr(text, "[["));
    if (settings_read(text, &ignored) != 0 && !IS(ANY_SETTINGS)) return GLASSES_ERROR_INVALID;
    IF(LEAKS_INSTANCE) leak();
    IF(LEAKS_DESCRIPTOR) eventfd(0, 0);
    host_thread = pthread_self();
    return GLASSES_OK;
}

static glasses_result activate_instance(void) {
    IF(HANGS_IN_INSTANCE) hang();
    IF(FAILS_TO_ACTIVATE) return GLASSES_ERROR_FAILED;
    instances_ended = 0;
    return GLASSES_OK;
}

static glasses_result describe_as(const char *facts, char *buffer, size_t capacity, size_t *length) {
    static int calls;
    char text[2048];
    IF(SHARED_LIFE) if (instances_ended) return GLASSES_ERROR_STATE;
    snprintf(text, sizeof text, "%s,\"calls\":%d}", IS(NOT_JSON) ? "{nonsense" : facts, IS(CHANGING_FACTS) ? calls++ % 10 : 0);
    *length = strlen(text) + (IS(WRONG_LENGTH) && capacity < 100 ? 7 : 0);
    if (IS(OVERRUNS_BUFFER) || capacity > strlen(text)) strcpy(buffer, text);
    return capacity > strlen(text) ? GLASSES_OK : GLASSES_ERROR_TOO_LARGE;
}

#endif
