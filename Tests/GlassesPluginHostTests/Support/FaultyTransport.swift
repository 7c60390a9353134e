/// A transport in C that keeps the ABI, unless a macro makes it break one rule.
extension PluginSources {
    static let faultyTransport = """
        #include <CGlassesPlugin.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>
        #include <unistd.h>
        static const glasses_transport_host *host;
        static glasses_ring *speaker;
        static glasses_ring *microphone;
        enum entry {
            NOWHERE, ENTRY_POINT, GET_FACTORY, CREATE, DESCRIBE, GET_EXTENSION, DISCONNECT, START_MICROPHONE, START_SPEAKER, STOP
        };
        #ifndef HANGS_IN
        #define HANGS_IN NOWHERE
        #endif
        static void hang(void) { for (;;) pause(); }
        static void enter(enum entry entry) { if (entry == HANGS_IN) hang(); }
        static void crash(void) { *(volatile int *)0 = 1; }
        static void *crash_soon(void *ring_pointer) {
            glasses_ring *ring = ring_pointer;
            int16_t block[160];
            struct timespec now;
            for (int i = 0; i < 160; i++) block[i] = 5;
            for (int i = 0; i < 20; i++) {
                clock_gettime(CLOCK_MONOTONIC, &now);
                glasses_ring_write(ring, ring->capacity, block, 160, now.tv_sec * 1000000000ll + now.tv_nsec);
                uint64_t one = 1;
                write(ring->wake_fd, &one, 8);
                usleep(10000);
            }
            crash();
            return 0;
        }
        static void *flood(void *argument) {
            (void)argument;
            for (;;) host->on_event(host->ctx, "{\\"event\\":\\"noise\\"}");
            return 0;
        }
        static void start_thread(void *(*body)(void *), void *argument) {
            pthread_t thread;
            pthread_create(&thread, 0, body, argument);
            pthread_detach(thread);
        }
        static void eat_memory(void) {
            /* More than a child may have: the plugin does not look at the answer. */
            memset(malloc((size_t)64 << 30), 1, 1);
        }
        static void done(glasses_request_id id) { host->on_completed(host->ctx, id, GLASSES_OK, 0); }
        static glasses_result activate(void *self) {
            (void)self;
        #ifdef HANG_IN_INSTANCE
            hang();
        #elif defined CRASH_IN_INSTANCE
            crash();
        #endif
        #ifdef FAIL_TO_ACTIVATE
            return FAIL_TO_ACTIVATE;
        #endif
            return GLASSES_OK;
        }
        #ifndef FACTS
        #define FACTS "{\\"name\\":\\"Faulty\\",\\"device\\":{\\"id\\":\\"f\\"},\\"microphoneRate\\":16000,\\"speakerRate\\":16000}"
        #endif
        static glasses_result describe(void *self, char *buffer, size_t capacity, size_t *length) {
            (void)self;
            enter(DESCRIBE);
        #ifdef HUGE_LENGTH
            *length = (size_t)-1;
            return GLASSES_OK;
        #endif
            *length = (size_t)snprintf(buffer, capacity, "%s", FACTS);
            return GLASSES_OK;
        }
        static glasses_result connect_device(void *self, glasses_request_id id, const char *device) {
            (void)self; (void)device;
        #ifdef HANG_IN_CONNECT
            hang();
        #elif defined CRASH_IN_CONNECT
            crash();
        #elif defined ABORT_IN_CONNECT
            abort();
        #elif defined EXIT_IN_CONNECT
            exit(0);
        #elif defined LOOP_IN_CONNECT
            for (volatile int i = 0;; i++) {}
        #elif defined EAT_MEMORY_IN_CONNECT
            eat_memory();
        #elif defined CRASH_IN_CALLBACK
            host->on_state(host->ctx, GLASSES_DEVICE_CONNECTED, (const char *)1);
        #elif defined FLOOD
            done(id);
            start_thread(flood, 0);
        #elif defined REFUSE_CONNECT
            return REFUSE_CONNECT;
        #elif defined FAIL_CONNECT
            host->on_completed(host->ctx, id, FAIL_CONNECT, "{\\"code\\":\\"radio_off\\",\\"message\\":\\"Switch the radio on.\\"}");
        #elif defined COMPLETE_TWICE
            done(id); done(id);
        #elif defined COMPLETE_UNKNOWN
            done(id + 4711); done(id);
        #elif defined UNKNOWN_STATE
            host->on_state(host->ctx, 77, 0); done(id);
        #elif defined BAD_UTF8
            host->on_event(host->ctx, "{\\"event\\":\\"\\xff\\xfe\\"}"); done(id);
        #elif defined BAD_JSON
            host->on_event(host->ctx, "{nonsense"); done(id);
        #elif defined HUGE_TEXT
            char *text = malloc(1 << 20);
            memset(text, 'x', (1 << 20) - 1);
            text[(1 << 20) - 1] = 0;
            host->on_event(host->ctx, text);
            free(text);
            done(id);
        #elif !defined NEVER_COMPLETE
            host->on_state(host->ctx, GLASSES_DEVICE_CONNECTED, "{\\"id\\":\\"f\\",\\"modelName\\":\\"F\\"}");
            done(id);
        #endif
            return GLASSES_OK;
        }
        static glasses_result disconnect_device(void *self, glasses_request_id id) {
            (void)self;
            enter(DISCONNECT);
            done(id);
            return GLASSES_OK;
        }
        static void *late(void *argument) {
            (void)argument;
            usleep(300000);
            host->on_event(host->ctx, "{\\"event\\":\\"too_late\\"}");
            return 0;
        }
        static void destroy(void *self) {
            (void)self;
        #ifdef CALL_AFTER_DESTROY
            pthread_t thread;
            pthread_create(&thread, 0, late, 0);
            pthread_detach(thread);
        #endif
        #ifdef HANG_IN_DESTROY
            hang();
        #elif defined CRASH_IN_DESTROY
            crash();
        #endif
        }
        static void poison(glasses_ring *ring) {
        #ifdef POISON_RING
            ring->capacity = 0xffffffffu;
            ring->write_position = (int64_t)1 << 62;
            ring->read_position = -5;
            ring->mark_count = -1;
            ring->played_position = -9;
            ring->played_t_ns = 1;
            ring->flush_id = 1000000;
            ring->flushed_position = (int64_t)1 << 62;
            uint64_t one = 1;
            write(ring->wake_fd, &one, 8);
        #endif
            (void)ring;
        }
        static glasses_result start_microphone(void *self, glasses_request_id id, glasses_ring *ring) {
            (void)self;
            enter(START_MICROPHONE);
            microphone = ring;
            poison(ring);
            done(id);
        #ifdef CRASH_IN_FRAME
            start_thread(crash_soon, ring);
        #elif defined WRITE_PAST_RING
            memset(ring, 1, glasses_ring_bytes(ring->capacity) + (64 << 20));
        #endif
            return GLASSES_OK;
        }
        static glasses_result start_speaker(void *self, glasses_request_id id, glasses_ring *ring) {
            (void)self;
            enter(START_SPEAKER);
            speaker = ring;
            poison(ring);
            done(id);
            return GLASSES_OK;
        }
        static glasses_result flush(void *self, uint64_t flush, int64_t upto) {
            (void)self; (void)flush; (void)upto;
        #ifdef HANG_IN_FLUSH
            hang();
        #endif
            return GLASSES_OK;
        }
        static glasses_result stop(void *self, glasses_request_id id) {
            (void)self;
            enter(STOP);
        #ifdef NEVER_STOP
            return GLASSES_OK;
        #endif
            done(id);
            return GLASSES_OK;
        }
        static const glasses_microphone MICROPHONE = {sizeof MICROPHONE, 0, start_microphone, stop};
        static const glasses_speaker SPEAKER = {sizeof SPEAKER, 0, start_speaker, flush, stop};
        static const void *get_extension(void *self, const char *id) {
            (void)self;
            enter(GET_EXTENSION);
            if (strcmp(id, GLASSES_EXT_MICROPHONE) == 0) return &MICROPHONE;
            return strcmp(id, GLASSES_EXT_SPEAKER) == 0 ? &SPEAKER : 0;
        }
        static glasses_transport TABLE;
        static glasses_result create(
            const glasses_transport_host *given, const char *settings, const glasses_transport **transport) {
            (void)settings;
            enter(CREATE);
            host = given;
            glasses_transport table = {
                sizeof TABLE, 0, 0, activate, describe, get_extension, connect_device, disconnect_device, destroy};
        #ifdef NULL_FUNCTION
            table.disconnect = 0;
        #endif
        #ifdef SHORT_TABLE
            table.size = 16;
        #endif
            TABLE = table;
        #ifndef NULL_TABLE
            *transport = &TABLE;
        #endif
            return GLASSES_OK;
        }
        static const glasses_transport_factory FACTORY = {sizeof FACTORY, 0, create};
        static glasses_result activate_plugin(const glasses_host *plugin_host) { (void)plugin_host; return GLASSES_OK; }
        static void shutdown_plugin(void) {}
        static const void *get_factory(const char *id) {
            enter(GET_FACTORY);
            return strcmp(id, GLASSES_FACTORY_TRANSPORT) == 0 ? &FACTORY : 0;
        }
        static const glasses_entry ENTRY = {
            sizeof ENTRY, GLASSES_ENTRY_MAGIC, 1, 0, activate_plugin, shutdown_plugin, get_factory};
        const glasses_entry *glasses_plugin_entry(void) {
            enter(ENTRY_POINT);
            return &ENTRY;
        }
        """
}
