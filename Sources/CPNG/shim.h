/* libpng's simplified interface, which needs no setjmp of its caller. Its formats are macros that Swift does not import. */
#ifndef CPNG_SHIM_H
#define CPNG_SHIM_H

#include <png.h>

/* Four bytes a pixel: R, G, B and alpha, not multiplied by it. */
static const png_uint_32 cpng_rgba = PNG_FORMAT_RGBA;

#endif
