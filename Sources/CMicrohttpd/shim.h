/* libmicrohttpd for Swift. https://www.gnu.org/software/libmicrohttpd/manual/libmicrohttpd.html */
#ifndef EXTENTOS_CMICROHTTPD_H
#define EXTENTOS_CMICROHTTPD_H

#include <microhttpd.h>

#endif
