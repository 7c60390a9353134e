/* GnuTLS for the TLS servers of the tests: another implementation than the one under test. Its headers come with libmicrohttpd's. */
#ifndef EXTENTOS_TESTS_CGNUTLS_H
#define EXTENTOS_TESTS_CGNUTLS_H

#include <gnutls/gnutls.h>

#endif
