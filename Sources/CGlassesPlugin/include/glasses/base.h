/* Basic types of the ABI: results, nullability and linkage. */
#ifndef GLASSES_BASE_H
#define GLASSES_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define GLASSES_NONNULL _Nonnull
#define GLASSES_NULLABLE _Nullable
#define GLASSES_SENDABLE __attribute__((swift_attr("@Sendable")))
#else
#define GLASSES_NONNULL
#define GLASSES_NULLABLE
#define GLASSES_SENDABLE
#endif

#ifdef __cplusplus
#define GLASSES_EXTERN extern "C"
#else
#define GLASSES_EXTERN extern
#endif
#define GLASSES_EXPORT GLASSES_EXTERN __attribute__((visibility("default")))

#define GLASSES_ABI_MAJOR 1u
#define GLASSES_ABI_MINOR 0u

/* What a call answers. Zero is success, negative values are errors; unknown negative values count as GLASSES_ERROR_FAILED. */
typedef int32_t glasses_result;
enum {
    GLASSES_OK = 0,
    GLASSES_ERROR_FAILED = -1,        /* the device or engine failed */
    GLASSES_ERROR_INVALID = -2,       /* an argument breaks this header's rules */
    GLASSES_ERROR_STATE = -3,         /* the call is not allowed in this state */
    GLASSES_ERROR_UNSUPPORTED = -4,   /* the plugin cannot do this at all */
    GLASSES_ERROR_UNAVAILABLE = -5,   /* a device, file or library is missing */
    GLASSES_ERROR_BUSY = -6,          /* somebody else has it, or a bound is reached */
    GLASSES_ERROR_DENIED = -7,        /* permission was refused */
    GLASSES_ERROR_TIMEOUT = -8,
    GLASSES_ERROR_CANCELLED = -9,
    GLASSES_ERROR_TOO_LARGE = -10,    /* a message above GLASSES_MESSAGE_MAX */
    GLASSES_ERROR_VERSION = -11       /* the other side speaks another ABI */
};

/* The longest JSON or text that one control call may carry, in bytes without the NUL. */
#define GLASSES_MESSAGE_MAX 65536u

/* Names one request; chosen by the host, never 0, never used again for the same instance. */
typedef uint64_t glasses_request_id;

#endif
