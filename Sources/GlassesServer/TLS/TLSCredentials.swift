import CGnuTLS

/// A certificate with its key, ready for sessions.
///
/// because GnuTLS lets several threads use credentials that nobody changes any more.
final class TLSCredentials: @unchecked Sendable {
    /// TLS 1.2 and 1.3 with the library's own choice of ciphers.
    private static let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"
    private let handle: gnutls_certificate_credentials_t

    /// Reads the PEM texts of `files`; throws ``ServerError`` when they cannot be used, or not together.
    init(_ files: TLSFiles) throws(ServerError) {
        let (certificate, key) = try files.read()
        var made: gnutls_certificate_credentials_t?
        guard gnutls_certificate_allocate_credentials(&made) == 0, let made else {
            throw ServerError("start", "There is no memory for TLS credentials. Free some and start again.")
        }
        let outcome = Self.withDatum(certificate) { certificate in
            Self.withDatum(key) { key in
                gnutls_certificate_set_x509_key_mem(made, certificate, key, GNUTLS_X509_FMT_PEM)
            }
        }
        guard outcome >= 0 else {
            gnutls_certificate_free_credentials(made)
            throw Self.refusal(files, outcome)
        }
        handle = made
    }

    deinit { gnutls_certificate_free_credentials(handle) }

    private static func withDatum<Result>(
        _ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result
    ) -> Result {
        var bytes = bytes
        return bytes.withUnsafeMutableBufferPointer { buffer in
            var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            return body(&datum)
        }
    }

    private static func refusal(_ files: TLSFiles, _ code: Int32) -> ServerError {
        if code == GNUTLS_E_CERTIFICATE_KEY_MISMATCH {
            return ServerError(
                "tls_mismatch",
                "The key \(files.key) does not belong to the certificate \(files.certificate). Give the two of one pair."
            )
        }
        let reason = gnutls_strerror(code).map { String(cString: $0) } ?? "unknown reason"
        return ServerError(
            "tls_files",
            "The certificate \(files.certificate) or the key \(files.key) cannot be used: \(reason) Check both.")
    }

    /// A new session of the server's side on `socket`; nil without memory. The caller frees it.
    func makeSession(on socket: Int32) -> gnutls_session_t? {
        var made: gnutls_session_t?
        guard gnutls_init(&made, UInt32(GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL)) == 0, let made else {
            return nil
        }
        let isReady =
            gnutls_priority_set_direct(made, Self.priorities, nil) == 0
            && gnutls_credentials_set(made, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(handle)) == 0
            && Self.withDatum(Array("http/1.1".utf8)) { gnutls_alpn_set_protocols(made, $0, 1, 0) } == 0
        guard isReady else {
            gnutls_deinit(made)
            return nil
        }
        gnutls_transport_set_int2(made, socket, socket)
        return made
    }
}
