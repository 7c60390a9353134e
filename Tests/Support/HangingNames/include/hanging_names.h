/* A name lookup that does not end, as with a name server that never answers.
 *
 * This target's getaddrinfo takes the place of the C library's for everything in the test program, libcurl included. Names that
 * end in ".hangs.invalid" are answered with EAI_AGAIN after 30 s; all others are looked up as usual.
 */
#ifndef EXTENTOS_HANGING_NAMES_H
#define EXTENTOS_HANGING_NAMES_H

#include <stdint.h>

/* How many lookups of such names have begun. [any] */
int32_t hanging_names_begun(void);

#endif
