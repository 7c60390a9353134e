/* What the host gives to a plugin. */
#ifndef GLASSES_HOST_H
#define GLASSES_HOST_H

#include "base.h"

typedef struct GLASSES_SENDABLE glasses_host {
    uint32_t size; /* sizeof of the struct that the host was built with */
    uint32_t abi_major;
    uint32_t abi_minor;
    uint32_t reserved;

    /* The host's own pointer, passed back as it is. Owned by the host, valid until the process ends. */
    void *GLASSES_NULLABLE ctx;

    /* The extension named by id, such as GLASSES_EXT_LOG, or null when this host has none of that name.
     * The answer is owned by the host and valid until the process ends. [any], from activate on. */
    const void *GLASSES_NULLABLE (*GLASSES_NONNULL get_extension)(
        const struct glasses_host *GLASSES_NONNULL host, const char *GLASSES_NONNULL id);
} glasses_host;

#endif
