#include "display.h"

#include <string.h>

enum { NODE_MAX = 64 };

/* The first "id" of the tree into node: found by its text alone, since ids hold no escapes. */
static int32_t first_node(const char *tree, size_t length, char node[NODE_MAX]) {
    static const char key[] = "\"id\":\"";
    const char *start = memmem(tree, length, key, sizeof key - 1);
    if (!start) return -1;
    start += sizeof key - 1;
    const char *end = memchr(start, '"', length - (size_t)(start - tree));
    if (!end || end - start >= NODE_MAX) return -1;
    memcpy(node, start, (size_t)(end - start));
    node[end - start] = '\0';
    return 0;
}

void display_answer(const glasses_display_host *host, wearer wearer, const char *tree, size_t length) {
    char node[NODE_MAX];
    switch (wearer) {
    case WEARER_LOOKS: break;
    case WEARER_GOES_BACK: host->on_back(host->ctx); break;
    case WEARER_SELECTS:
        if (first_node(tree, length, node) == 0) host->on_select(host->ctx, node);
        break;
    }
}
