/* The one exported symbol of a plugin. */
#ifndef GLASSES_ENTRY_H
#define GLASSES_ENTRY_H

#include "base.h"
#include "host.h"

#define GLASSES_ENTRY_MAGIC 0x31534c47u /* "GLS1" */
#define GLASSES_ENTRY_SYMBOL "glasses_plugin_entry"

typedef struct GLASSES_SENDABLE glasses_entry {
    uint32_t size;  /* sizeof of the struct that the plugin was built with */
    uint32_t magic; /* GLASSES_ENTRY_MAGIC */
    uint32_t abi_major;
    uint32_t abi_minor;

    /* Called once, before everything else. Allocates nothing that shutdown does not free; opens no device.
     * host stays valid until the process ends. Not GLASSES_OK means that the plugin takes no part. [host] */
    glasses_result (*GLASSES_NONNULL activate)(const glasses_host *GLASSES_NONNULL host);

    /* Called once, after every instance was destroyed. The library stays loaded. [host] */
    void (*GLASSES_NONNULL shutdown)(void);

    /* The factory named by id, such as GLASSES_FACTORY_TRANSPORT, or null. Owned by the plugin, valid until
     * the process ends. [host], between activate and shutdown. */
    const void *GLASSES_NULLABLE (*GLASSES_NONNULL get_factory)(const char *GLASSES_NONNULL id);
} glasses_entry;

/* Every plugin exports this function and no other symbol of its own. The struct is owned by the plugin and valid
 * until the process ends. Called before activate, on any thread; must do nothing but return. */
GLASSES_EXPORT const glasses_entry *GLASSES_NULLABLE glasses_plugin_entry(void);

#endif
