/* The virtual display: it keeps nothing, and its wearer answers each tree as the settings say. */
#ifndef LOOPBACK_DISPLAY_H
#define LOOPBACK_DISPLAY_H

#include "settings.h"
#include <CGlassesPlugin.h>

#define DISPLAY_PANEL \
    "{\"widthPx\":600,\"heightPx\":600,\"unitScale\":2,\"shape\":\"rect\",\"input\":\"singleButton\",\"minTextPx\":16}"

/* Lets the wearer answer a tree that is shown: select its first node with an id, go back, or nothing. */
void display_answer(const glasses_display_host *host, wearer wearer, const char *tree, size_t length);

#endif
