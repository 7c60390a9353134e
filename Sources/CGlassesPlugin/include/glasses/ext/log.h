/* Host extension: the host's log. */
#ifndef GLASSES_EXT_LOG_H
#define GLASSES_EXT_LOG_H

#include "../base.h"
#include "../host.h"

#define GLASSES_EXT_LOG "glasses.log/1"

typedef int32_t glasses_log_severity;
enum {
    GLASSES_LOG_DEBUG = 0,
    GLASSES_LOG_INFO = 1,
    GLASSES_LOG_WARNING = 2,
    GLASSES_LOG_ERROR = 3
};

typedef struct GLASSES_SENDABLE glasses_host_log {
    uint32_t size;
    uint32_t reserved;
    /* Writes one line. It must hold no audio, no recognised words and no secret. Never on an [audio] thread. [any] */
    void (*GLASSES_NONNULL log)(
        const glasses_host *GLASSES_NONNULL host, glasses_log_severity severity, const char *GLASSES_NONNULL message);
} glasses_host_log;

#endif
