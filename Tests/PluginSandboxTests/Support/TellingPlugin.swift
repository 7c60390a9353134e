/// A plugin in C that, when it is activated, logs its environment and what came of a few attempts as `name=errno`; it makes no instances.
enum TellingPlugin {
    static let source = """
        #include <CGlassesPlugin.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <unistd.h>
        extern char **environ;
        static const glasses_host *host;
        static char lines[1024];
        static void tell(const char *text) {
            const glasses_host_log *log = host->get_extension(host, GLASSES_EXT_LOG);
            log->log(host, GLASSES_LOG_INFO, text);
        }
        static void tell_result(const char *name, long result) {
            int error = errno;
            snprintf(lines, sizeof lines, "%s=%d", name, result < 0 ? error : 0);
            tell(lines);
        }
        static glasses_result activate(const glasses_host *given) {
            host = given;
            for (char **variable = environ; *variable; variable++) {
                snprintf(lines, sizeof lines, "variable %s", *variable);
                tell(lines);
            }
            tell_result("private", open(PRIVATE, O_RDONLY));
            tell_result("network", socket(AF_INET, SOCK_STREAM, 0));
            int others = 0;
            for (int file = 3; file < 256; file++) others += fcntl(file, F_GETFD) >= 0;
            snprintf(lines, sizeof lines, "descriptors=%d", others);
            tell(lines);
            return GLASSES_OK;
        }
        #ifdef LEAVES_WHERE_DOORS_ARE_OPEN
        __attribute__((constructor)) static void begin(void) {
            if (open(PRIVATE, O_RDONLY) >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0 || getenv("SANDBOX_TEST_SECRET"))
                _exit(9);
        }
        #endif
        static void shutdown_plugin(void) {}
        static glasses_result create(const glasses_stt_host *stt, const char *settings, const glasses_stt **out) {
            (void)stt; (void)settings; (void)out;
            return GLASSES_ERROR_UNAVAILABLE;
        }
        static const glasses_stt_factory FACTORY = {sizeof FACTORY, 0, create};
        static const void *get_factory(const char *id) {
            return strcmp(id, GLASSES_FACTORY_STT) == 0 ? &FACTORY : 0;
        }
        static const glasses_entry ENTRY = {
            sizeof ENTRY, GLASSES_ENTRY_MAGIC, 1, 0, activate, shutdown_plugin, get_factory};
        const glasses_entry *glasses_plugin_entry(void) { return &ENTRY; }
        """
}
