/* A plugin that keeps the whole ABI, or breaks one promise: -DBREAK=NAME -DBREAK_NAME chooses which, -DKIND_TRANSPORT,
 * -DKIND_STT, -DKIND_TTS or -DKIND_VAD what it is. Every break is one line that begins with IF(NAME). */
#include "faults.h"
#if defined KIND_TRANSPORT
#include "transport.h"
#elif defined KIND_VAD
#include "detector.h"
#else
#include "engines.h"
#endif

#if defined BREAK_ABORTS_ON_LOAD || defined BREAK_EXITS_ON_LOAD || defined BREAK_HANGS_ON_LOAD
__attribute__((constructor)) static void load(void) {
    IF(ABORTS_ON_LOAD) abort();
    IF(EXITS_ON_LOAD) _exit(0);
    hang();
}
#endif
#ifdef BREAK_EXTRA_SYMBOL
__attribute__((visibility("default"))) int broken_extra_symbol;
#endif

static void *wait_forever(void *ignored) { hang(); return ignored; }

static glasses_result activate_plugin(const glasses_host *host) {
    pthread_t thread;
    IF(REFUSES_TO_ACTIVATE) return GLASSES_ERROR_UNAVAILABLE;
    IF(CRASHES_ON_ACTIVATE) crash();
#ifdef NEEDED
    if (open(NEEDED, O_RDONLY | O_CLOEXEC) < 0) return GLASSES_ERROR_UNAVAILABLE;
#endif
    IF(HANGS_ON_ACTIVATE) hang();
    if (host->abi_major != GLASSES_ABI_MAJOR && !IS(ACCEPTS_OTHER_MAJOR)) return GLASSES_ERROR_VERSION;
    IF(REFUSES_NEWER_HOST) if (host->abi_minor > GLASSES_ABI_MINOR) return GLASSES_ERROR_VERSION;
    if (host->size < sizeof *host && !IS(IGNORES_HOST_SIZE)) return GLASSES_ERROR_VERSION;
    const glasses_host_log *log = host->get_extension(host, GLASSES_EXT_LOG);
    if (log || IS(NEEDS_LOG)) log->log(host, GLASSES_LOG_INFO, "hello");
    IF(OPENS_DEVICE) device_fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    IF(LEAVES_THREAD) if (pthread_create(&thread, NULL, wait_forever, NULL) == 0) pthread_detach(thread);
    return GLASSES_OK;
}

static void shutdown_plugin(void) {
    IF(HANGS_ON_SHUTDOWN) hang();
    if (device_fd >= 0) close(device_fd);
}

static const void *get_factory(const char *id) {
    IF(PREFIX_FACTORY) if (strncmp(id, FACTORY_ID, strlen(FACTORY_ID)) == 0) return &FACTORY;
    IF(OFFERS_UNNAMED) if (strcmp(id, "glasses.brain/1") == 0) return &FACTORY;
    return strcmp(id, FACTORY_ID) == 0 ? &FACTORY : NULL;
}

static const glasses_entry ENTRY = {
    IS(SMALL_ENTRY) ? 16 : sizeof ENTRY, IS(WRONG_MAGIC) ? 7 : GLASSES_ENTRY_MAGIC, IS(OTHER_ABI) ? 2 : GLASSES_ABI_MAJOR,
    GLASSES_ABI_MINOR, activate_plugin, IS(NULL_SHUTDOWN) ? NULL : shutdown_plugin, get_factory};
#ifndef BREAK_NO_ENTRY
const glasses_entry *glasses_plugin_entry(void) {
    static glasses_entry copy;
    static int calls;
    IF(MOVING_ENTRY) if (calls++ % 2 == 1) { copy = ENTRY; return &copy; }
    return IS(NULL_ENTRY) ? NULL : &ENTRY;
}
#endif
