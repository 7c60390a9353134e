/* Transport extension: a display.
 *
 * describe adds "display": {"widthPx", "heightPx", "unitScale", "shape": "rect" | "circle", "input": "neuralBand" |
 * "templeTouchpad" | "singleButton" | "headTap", "minTextPx"}.
 *
 * A tree is one JSON object: {"kind": "flexBox" | "text" | "image" | "button" | "icon" | "video", ...} with the fields that
 * docs/plugins.md lists; nodes that a wearer can select have an "id". Unknown kinds and fields are left out.
 */
#ifndef GLASSES_EXT_DISPLAY_H
#define GLASSES_EXT_DISPLAY_H

#include "../base.h"

#define GLASSES_EXT_DISPLAY "glasses.display/1"

/* The longest tree, in bytes: pictures are addresses, so a screen of text is far below. */
#define GLASSES_DISPLAY_TREE_MAX (1u << 20)

/* The host's side of one display; as glasses_transport_host. */
typedef struct GLASSES_SENDABLE glasses_display_host {
    uint32_t size;
    uint32_t reserved;
    void *GLASSES_NULLABLE ctx;

    /* The wearer selected the node of that id in the tree that is shown. [any] */
    void (*GLASSES_NONNULL on_select)(void *GLASSES_NULLABLE ctx, const char *GLASSES_NONNULL node);

    /* The wearer asked to go back. [any] */
    void (*GLASSES_NONNULL on_back)(void *GLASSES_NULLABLE ctx);
} glasses_display_host;

typedef struct GLASSES_SENDABLE glasses_display {
    uint32_t size;
    uint32_t reserved;

    /* As glasses_camera.attach. [host] */
    glasses_result (*GLASSES_NONNULL attach)(
        void *GLASSES_NULLABLE instance, const glasses_display_host *GLASSES_NONNULL host);

    /* Replaces what is shown by the tree, length bytes of UTF-8 JSON without a NUL, valid during the call only. on_completed
     * comes when it is on the panel, within 2 s; a later show replaces one that is not yet. INVALID for what is no such tree,
     * TOO_LARGE above GLASSES_DISPLAY_TREE_MAX. STATE unless connected. [host] */
    glasses_result (*GLASSES_NONNULL show)(
        void *GLASSES_NULLABLE instance, glasses_request_id request, const char *GLASSES_NONNULL tree, size_t length);

    /* Blanks the panel. [host] */
    glasses_result (*GLASSES_NONNULL clear)(void *GLASSES_NULLABLE instance, glasses_request_id request);
} glasses_display;

#endif
