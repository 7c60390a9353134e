import CDigest

/// The digest of a library, as its manifest may have it.
package enum SHA256 {
    /// The digest of everything in `bytes` as lower-case hexadecimal digits.
    package static func hexadecimal(of bytes: [UInt8]) -> String {
        var digest = cdigest_sha256()
        cdigest_sha256_begin(&digest)
        cdigest_sha256_add(&digest, bytes, bytes.count)
        var result = [UInt8](repeating: 0, count: 32)
        cdigest_sha256_end(&digest, &result)
        return result.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
