import CGnuTLS
import Glibc

/// The bytes of one accepted connection. Calls wait a moment at most.
protocol ByteTransport: AnyObject {
    /// Bytes read; 0 at the end of the stream; nil when none came in that moment.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int?
    /// Bytes written; nil when the kernel took none in that moment.
    func write(_ buffer: UnsafeRawBufferPointer) throws -> Int?
}

/// TCP as it is.
final class PlainTransport: ByteTransport {
    private let socket: Int32

    init(socket: Int32) { self.socket = socket }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        try Self.outcome(recv(socket, buffer.baseAddress, buffer.count, 0))
    }

    func write(_ buffer: UnsafeRawBufferPointer) throws -> Int? {
        try Self.outcome(send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL)))
    }

    private static func outcome(_ count: Int) throws -> Int? {
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw LabError.closed }
        return nil
    }
}

/// TLS by GnuTLS.
final class TLSTransport: ByteTransport {
    private let session: gnutls_session_t
    private let credentials: gnutls_certificate_credentials_t

    /// Shakes hands as a server with `certificate`; throws when the client refuses it.
    init(socket: Int32, certificate: LabCertificate, isOver: () -> Bool) throws {
        var credentials: gnutls_certificate_credentials_t?
        var session: gnutls_session_t?
        guard gnutls_certificate_allocate_credentials(&credentials) == 0, let credentials,
            gnutls_certificate_set_x509_key_file(
                credentials, certificate.certificate, certificate.key, GNUTLS_X509_FMT_PEM) == 0,
            gnutls_init(&session, UInt32(GNUTLS_SERVER | GNUTLS_NO_SIGNAL)) == 0, let session
        else { throw LabError.setup("TLS") }
        self.session = session
        self.credentials = credentials
        gnutls_set_default_priority(session)
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
        gnutls_transport_set_int2(session, socket, socket)
        while !isOver() {
            let code = gnutls_handshake(session)
            if code == 0 { return }
            if gnutls_error_is_fatal(code) != 0 { throw LabError.closed }
        }
        throw LabError.timeout
    }

    deinit {
        gnutls_deinit(session)
        gnutls_certificate_free_credentials(credentials)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let count = gnutls_record_recv(session, buffer.baseAddress, buffer.count)
        // Ended without a TLS goodbye.
        return count == Int(GNUTLS_E_PREMATURE_TERMINATION) ? 0 : try Self.outcome(count)
    }

    func write(_ buffer: UnsafeRawBufferPointer) throws -> Int? {
        try Self.outcome(gnutls_record_send(session, buffer.baseAddress, buffer.count))
    }

    private static func outcome(_ count: Int) throws -> Int? {
        if count >= 0 { return count }
        guard gnutls_error_is_fatal(Int32(truncatingIfNeeded: count)) == 0 else { throw LabError.closed }
        return nil
    }
}
