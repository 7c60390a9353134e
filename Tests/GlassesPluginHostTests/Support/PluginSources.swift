/// C sources of plugins that do wrong things, compiled when a test needs them.
enum PluginSources {
    /// A plugin without any factory beside a transport factory that refuses; macros choose what goes wrong on loading.
    static let entry = """
        #include <CGlassesPlugin.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        #ifdef ABORT_IN_CONSTRUCTOR
        __attribute__((constructor)) static void begin(void) { abort(); }
        #endif
        #ifdef EXIT_IN_CONSTRUCTOR
        __attribute__((constructor)) static void begin(void) { _exit(0); }
        #endif
        #ifdef CRASH_IN_SHUTDOWN
        static void shutdown_plugin(void) { abort(); }
        #else
        static void shutdown_plugin(void) {}
        #endif
        static glasses_result activate(const glasses_host *host) {
            (void)host;
        #ifdef HANG_IN_ACTIVATE
            for (;;) pause();
        #endif
        #ifdef REFUSE_TO_ACTIVATE
            return GLASSES_ERROR_UNAVAILABLE;
        #endif
            return GLASSES_OK;
        }
        static glasses_result create(
            const glasses_transport_host *host, const char *settings, const glasses_transport **transport) {
            (void)host; (void)settings; (void)transport;
            return GLASSES_ERROR_UNAVAILABLE;
        }
        static const glasses_transport_factory FACTORY = {.size = sizeof FACTORY, .create = create};
        static const void *get_factory(const char *id) {
            return strcmp(id, GLASSES_FACTORY_TRANSPORT) == 0 ? &FACTORY : 0;
        }
        #ifndef ABI
        #define ABI GLASSES_ABI_MAJOR
        #endif
        #ifndef MAGIC
        #define MAGIC GLASSES_ENTRY_MAGIC
        #endif
        #ifndef SIZE
        #define SIZE sizeof(glasses_entry)
        #endif
        #ifndef FACTORY_FUNCTION
        #define FACTORY_FUNCTION get_factory
        #endif
        static const glasses_entry ENTRY = {SIZE, MAGIC, ABI, 0, activate, shutdown_plugin, FACTORY_FUNCTION};
        #ifdef NULL_ENTRY
        const glasses_entry *glasses_plugin_entry(void) { return 0; }
        #elif !defined NO_ENTRY
        const glasses_entry *glasses_plugin_entry(void) { return &ENTRY; }
        #endif
        """
}
