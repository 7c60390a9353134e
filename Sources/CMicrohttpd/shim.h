/* libmicrohttpd for Swift, with fixed signatures for its variadic calls.
 * https://www.gnu.org/software/libmicrohttpd/manual/libmicrohttpd.html
 */
#ifndef EXTENTOS_CMICROHTTPD_H
#define EXTENTOS_CMICROHTTPD_H

#include <microhttpd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* How a daemon without a listening socket is started: one polling thread, sockets by MHD_add_connection. The struct
 * must outlive the daemon, since the log callback reads it. Every callback gets `context` and runs on the daemon's
 * thread, except `log`, which may run on any thread that calls into the library. */
struct cmhd_settings {
    void *_Nullable context;
    MHD_AccessHandlerCallback _Nonnull access;
    MHD_RequestCompletedCallback _Nonnull completed;
    MHD_NotifyConnectionCallback _Nonnull connection;
    void *_Nullable (*_Nonnull target)(void *_Nullable context, const char *_Nullable uri,
                                       struct MHD_Connection *_Nullable connection);
    void (*_Nonnull log)(void *_Nullable context, const char *_Nonnull line);
    uint32_t connections;
    uint32_t idle_seconds;
    size_t connection_memory;
};

static inline void cmhd_log_line(void *_Nullable cls, const char *_Nonnull format, va_list arguments) {
    const struct cmhd_settings *settings = (const struct cmhd_settings *)cls;
    char line[512];
    vsnprintf(line, sizeof line, format, arguments);
    settings->log(settings->context, line);
}

/* The target is taken raw from the URI callback, so nothing is unescaped by the library. */
static inline size_t cmhd_keep_escapes(void *_Nullable cls, struct MHD_Connection *_Nullable connection,
                                       char *_Nonnull text) {
    (void)cls;
    (void)connection;
    size_t length = 0;
    while (text[length] != '\0') length++;
    return length;
}

/* NULL when the library refuses; the reason went to `log`. */
static inline struct MHD_Daemon *_Nullable cmhd_start(struct cmhd_settings *_Nonnull s) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | MHD_USE_ERROR_LOG |
                         MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, s->access, s->context,
        MHD_OPTION_EXTERNAL_LOGGER, cmhd_log_line, s,
        MHD_OPTION_NOTIFY_COMPLETED, s->completed, s->context,
        MHD_OPTION_NOTIFY_CONNECTION, s->connection, s->context,
        MHD_OPTION_URI_LOG_CALLBACK, s->target, s->context,
        MHD_OPTION_UNESCAPE_CALLBACK, cmhd_keep_escapes, NULL,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned int)s->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)s->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->connection_memory,
        MHD_OPTION_END);
}

/* The socket of a connection; the library closes it. -1 when unknown. */
static inline int32_t cmhd_socket(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : (int32_t)info->connect_fd;
}

/* What the connection callback stored for the connection; NULL before that. */
static inline void *_Nullable cmhd_socket_context(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/* Gives an upgraded socket back to the library, which closes it. [any] */
static inline void cmhd_close_upgraded(struct MHD_UpgradeResponseHandle *_Nonnull handle) {
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

#endif
