/* GnuTLS for Swift. https://www.gnutls.org/manual/ */
#ifndef EXTENTOS_CGNUTLS_H
#define EXTENTOS_CGNUTLS_H

#include <gnutls/gnutls.h>

#endif
