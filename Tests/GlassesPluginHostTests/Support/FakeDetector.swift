/// A voice activity detector in C whose behaviour is chosen by macros: each 512 frames are judged by their first one, in percent.
extension PluginSources {
    static let detector = """
        #include <CGlassesPlugin.h>
        #include <math.h>
        #include <stdio.h>
        #include <string.h>
        #include <unistd.h>
        #define WINDOW 512
        static const glasses_vad_host *host_table;
        static struct { uint64_t judged; uint32_t waiting; int16_t first; } streams[1024];
        static glasses_result activate(void *self) {
            (void)self;
        #ifdef MISSING_MODEL
            return GLASSES_ERROR_UNAVAILABLE;
        #endif
            return GLASSES_OK;
        }
        static glasses_result describe(void *self, char *buffer, size_t capacity, size_t *length) {
            (void)self;
            *length = (size_t)snprintf(buffer, capacity, "{\\"name\\":\\"Fake Ear\\",\\"sampleRate\\":16000}");
            return GLASSES_OK;
        }
        static glasses_result begin(void *self, glasses_request_id id) {
            (void)self;
        #ifdef BUSY
            return GLASSES_ERROR_BUSY;
        #endif
            memset(&streams[id % 1024], 0, sizeof streams[0]);
            return GLASSES_OK;
        }
        static void judge(glasses_request_id id, int16_t value) {
            double probability = value / 100.0;
            uint64_t first = streams[id % 1024].judged;
        #ifdef NOT_A_NUMBER
            probability = NAN;
        #endif
        #ifdef AHEAD
            first += 1000 * WINDOW;
        #endif
            host_table->on_activity(host_table->ctx, id, first, WINDOW, probability);
            streams[id % 1024].judged += WINDOW;
        }
        static glasses_result push(void *self, glasses_request_id id, const int16_t *samples, uint32_t count) {
            (void)self;
        #ifdef FULL
            return GLASSES_ERROR_BUSY;
        #endif
        #ifdef HANG
            sleep(3);
        #endif
        #ifdef FAIL
            host_table->on_failed(host_table->ctx, id, GLASSES_ERROR_FAILED, "The model broke.");
            host_table->on_failed(host_table->ctx, id, GLASSES_ERROR_FAILED, "The model broke.");
            return GLASSES_OK;
        #endif
        #ifdef STRANGER
            host_table->on_activity(host_table->ctx, 999, 0, WINDOW, 0.5);
        #endif
            for (uint32_t i = 0; i < count; i++) {
                if (streams[id % 1024].waiting == 0) streams[id % 1024].first = samples[i];
                if (++streams[id % 1024].waiting < WINDOW) continue;
                streams[id % 1024].waiting = 0;
                judge(id, streams[id % 1024].first);
            }
            return GLASSES_OK;
        }
        static glasses_result reset(void *self, glasses_request_id id) {
            (void)self;
            streams[id % 1024].judged += streams[id % 1024].waiting;
            streams[id % 1024].waiting = 0;
            return GLASSES_OK;
        }
        static glasses_result end(void *self, glasses_request_id id) {
            (void)self;
            host_table->on_activity(host_table->ctx, id, streams[id % 1024].judged, 1, 1);
            return GLASSES_OK;
        }
        static void destroy(void *self) { (void)self; }
        static const glasses_vad VAD = {sizeof VAD, 0, 0, activate, describe, begin, push, reset, end, destroy};
        static glasses_result create_vad(const glasses_vad_host *host, const char *settings, const glasses_vad **out) {
            (void)settings;
            host_table = host;
            *out = &VAD;
            return GLASSES_OK;
        }
        static const glasses_vad_factory VAD_FACTORY = {sizeof VAD_FACTORY, 0, create_vad};
        static glasses_result activate_plugin(const glasses_host *host) {
            (void)host;
            return GLASSES_OK;
        }
        static void shutdown_plugin(void) {}
        static const void *get_factory(const char *id) { return strcmp(id, GLASSES_FACTORY_VAD) == 0 ? &VAD_FACTORY : 0; }
        static const glasses_entry ENTRY = {
            sizeof ENTRY, GLASSES_ENTRY_MAGIC, 1, 0, activate_plugin, shutdown_plugin, get_factory};
        const glasses_entry *glasses_plugin_entry(void) { return &ENTRY; }
        """
}
