import Glibc

/// The PEM files for TLS.
public struct TLSFiles: Sendable, Hashable {
    /// The path of the certificate, followed by its intermediates.
    public var certificate: String
    /// The path of its private key, without a passphrase. Other users must not be able to read it.
    public var key: String

    /// The files at two paths.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// The largest file read: a long chain of certificates has some tens of kilobytes.
    private static let largestFile = 1 << 20

    /// The texts of both; throws ``ServerError`` with the file's name and what is wrong with it.
    func read() throws(ServerError) -> (certificate: [UInt8], key: [UInt8]) {
        let certificate = try Self.read(self.certificate, role: "certificate", isSecret: false)
        guard Self.holds("-----BEGIN CERTIFICATE-----", certificate) else {
            throw ServerError(
                "tls_certificate",
                "\(self.certificate) holds no PEM certificate. Give the file that begins with BEGIN CERTIFICATE.")
        }
        let key = try Self.read(self.key, role: "key", isSecret: true)
        guard Self.holds("PRIVATE KEY-----", key) else {
            throw ServerError(
                "tls_key", "\(self.key) holds no PEM private key. Give the file that begins with BEGIN PRIVATE KEY.")
        }
        guard !Self.holds("BEGIN ENCRYPTED PRIVATE KEY", key), !Self.holds("Proc-Type: 4,ENCRYPTED", key) else {
            throw ServerError(
                "tls_key",
                "\(self.key) is locked by a passphrase. Write an open copy with `openssl pkey` and mode 0600.")
        }
        return (certificate, key)
    }

    private static func holds(_ marker: String, _ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }.contains(marker)
    }

    private static func read(_ path: String, role: String, isSecret: Bool) throws(ServerError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ServerError(
                "tls_file", "The TLS \(role) \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile else {
            throw ServerError("tls_file", "The TLS \(role) \(path) is not a file of at most 1 MiB. Check the path.")
        }
        if isSecret && status.st_mode & 0o007 != 0 {
            throw ServerError(
                "tls_key_exposed",
                "Every user may open the TLS key \(path). Run `chmod o-rwx` on it, and replace it if it matters."
            )
        }
        return try readAll(descriptor, size: Int(status.st_size), path: path)
    }

    private static func readAll(_ descriptor: Int32, size: Int, path: String) throws(ServerError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let offset = filled
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).baseAddress, size - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw ServerError("tls_file", "\(path) ended while it was read. Try again once it is written.")
            }
            filled += count
        }
        return bytes
    }
}
