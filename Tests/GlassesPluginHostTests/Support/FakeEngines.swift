/// A recogniser and a synthesiser in C whose behaviour is chosen by macros.
extension PluginSources {
    static let engines = """
        #include <CGlassesPlugin.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static const glasses_stt_host *stt_host;
        static const glasses_tts_host *tts_host;
        static uint32_t heard[1024];
        static glasses_result activate(void *self) {
            (void)self;
        #ifdef MISSING_MODEL
            return GLASSES_ERROR_UNAVAILABLE;
        #endif
            return GLASSES_OK;
        }
        static glasses_result describe(void *self, char *buffer, size_t capacity, size_t *length) {
            (void)self;
            *length = (size_t)snprintf(buffer, capacity,
                "{\\"name\\":\\"Fake One\\",\\"sampleRate\\":16000,\\"voices\\":[\\"ann\\",\\"bob\\"],\\"languages\\":[\\"en\\"]}");
            return GLASSES_OK;
        }
        static glasses_result begin(void *self, glasses_request_id id) {
            (void)self;
        #ifdef BUSY
            return GLASSES_ERROR_BUSY;
        #endif
            heard[id % 1024] = 0;
            return GLASSES_OK;
        }
        static glasses_result push(void *self, glasses_request_id id, const int16_t *samples, uint32_t count) {
            (void)self; (void)samples;
        #ifdef FULL
            return GLASSES_ERROR_BUSY;
        #endif
            heard[id % 1024] += count;
            stt_host->on_partial(stt_host->ctx, id, "some", 2.5);
            return GLASSES_OK;
        }
        static glasses_result finish(void *self, glasses_request_id id) {
            (void)self;
        #ifdef NEVER_FINISH
            return GLASSES_OK;
        #endif
            if (heard[id % 1024] == 666) abort();
        #ifdef FAIL
            stt_host->on_finished(stt_host->ctx, id, GLASSES_ERROR_FAILED, "The decoder broke.", 0);
            return GLASSES_OK;
        #endif
        #ifdef BAD_TEXT
            stt_host->on_finished(stt_host->ctx, id, GLASSES_OK, "\\xc3\\x28", 0);
            return GLASSES_OK;
        #endif
            char text[64];
            snprintf(text, sizeof text, "%u frames", heard[id % 1024]);
            stt_host->on_finished(stt_host->ctx, id, GLASSES_OK, text, 0.75);
        #ifdef TWICE
            stt_host->on_finished(stt_host->ctx, id, GLASSES_OK, text, 0.75);
        #endif
            return GLASSES_OK;
        }
        static glasses_result cancel(void *self, glasses_request_id id) {
            (void)self;
            stt_host->on_finished(stt_host->ctx, id, GLASSES_ERROR_CANCELLED, "", 0);
            return GLASSES_OK;
        }
        static void destroy(void *self) { (void)self; }
        static const glasses_stt STT = {sizeof STT, 0, 0, activate, describe, begin, push, finish, cancel, destroy};
        static glasses_result create_stt(const glasses_stt_host *host, const char *settings, const glasses_stt **out) {
            (void)settings;
            stt_host = host;
            *out = &STT;
            return GLASSES_OK;
        }
        static const glasses_stt_factory STT_FACTORY = {sizeof STT_FACTORY, 0, create_stt};

        struct job { glasses_request_id id; size_t blocks; int16_t value; };
        static volatile glasses_request_id cancelled;
        static void *speak_thread(void *argument) {
            struct job job = *(struct job *)argument;
            int16_t block[1600];
            free(argument);
            for (int i = 0; i < 1600; i++) block[i] = job.value;
            for (size_t i = 0; i < job.blocks; i++) {
                if (i == 2 && job.blocks == 13) abort();
                if (tts_host->on_audio(tts_host->ctx, job.id, block, 1600) != GLASSES_OK || cancelled == job.id) {
                    tts_host->on_finished(tts_host->ctx, job.id, GLASSES_ERROR_CANCELLED, 0);
                    return 0;
                }
        #ifdef ENDLESS
                i--;
                usleep(1000);
        #endif
            }
        #ifdef FAIL
            tts_host->on_finished(tts_host->ctx, job.id, GLASSES_ERROR_FAILED, "The voice broke.");
        #else
            tts_host->on_finished(tts_host->ctx, job.id, GLASSES_OK, 0);
        #endif
            return 0;
        }
        static glasses_result speak(void *self, glasses_request_id id, const char *text, const char *options) {
            (void)self;
        #ifdef BUSY
            return GLASSES_ERROR_BUSY;
        #endif
        #ifdef SILENT
            return GLASSES_OK;
        #endif
            struct job *job = malloc(sizeof *job);
            *job = (struct job){id, strlen(text), strstr(options, "bob") ? 2 : 1};
            pthread_t thread;
            pthread_create(&thread, 0, speak_thread, job);
            pthread_detach(thread);
            return GLASSES_OK;
        }
        static glasses_result cancel_speech(void *self, glasses_request_id id) {
            (void)self;
            cancelled = id;
            return GLASSES_OK;
        }
        static const glasses_tts TTS = {sizeof TTS, 0, 0, activate, describe, speak, cancel_speech, destroy};
        static glasses_result create_tts(const glasses_tts_host *host, const char *settings, const glasses_tts **out) {
            (void)settings;
            tts_host = host;
            *out = &TTS;
            return GLASSES_OK;
        }
        static const glasses_tts_factory TTS_FACTORY = {sizeof TTS_FACTORY, 0, create_tts};
        static glasses_result activate_plugin(const glasses_host *host) {
            const glasses_host_log *log = host->get_extension(host, GLASSES_EXT_LOG);
            if (log && !host->get_extension(host, "glasses.nothing/1")) log->log(host, GLASSES_LOG_WARNING, "hello\\nthere");
            return GLASSES_OK;
        }
        static void shutdown_plugin(void) {}
        static const void *get_factory(const char *id) {
            if (strcmp(id, GLASSES_FACTORY_STT) == 0) return &STT_FACTORY;
            return strcmp(id, GLASSES_FACTORY_TTS) == 0 ? &TTS_FACTORY : 0;
        }
        static const glasses_entry ENTRY = {
            sizeof ENTRY, GLASSES_ENTRY_MAGIC, 1, 0, activate_plugin, shutdown_plugin, get_factory};
        const glasses_entry *glasses_plugin_entry(void) { return &ENTRY; }
        """
}
