import CDigest

/// HMAC-SHA256 (RFC 2104) and PBKDF2 over it (RFC 8018).
enum MessageAuthentication {
    /// Bytes of a digest.
    static let size = 32
    private static let block = 64

    /// The HMAC of `message` under `key`.
    static func hmac(_ message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        Keyed(key).authenticate(Array(message))
    }

    /// A key of 32 bytes from a password that a person can type.
    static func derive(password: [UInt8], salt: [UInt8], rounds: Int) -> [UInt8] {
        let keyed = Keyed(password)
        var last = keyed.authenticate(salt + [0, 0, 0, 1])
        return last.withUnsafeMutableBytes { last in
            var sum = last.loadUnaligned(as: SIMD4<UInt64>.self)
            for _ in 1..<max(rounds, 1) {
                keyed.authenticate(inPlace: last)
                sum ^= last.loadUnaligned(as: SIMD4<UInt64>.self)
            }
            return withUnsafeBytes(of: sum) { Array($0) }
        }
    }

    /// Whether two values are the same, in a time that does not depend on where they differ.
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A key whose two first blocks are hashed already: PBKDF2 uses it many thousand times.
    private struct Keyed {
        private let inner: cdigest_sha256
        private let outer: cdigest_sha256

        init(_ key: [UInt8]) {
            let key = key.count > block ? MessageAuthentication.digest(key) : key
            let padded = key + [UInt8](repeating: 0, count: block - key.count)
            inner = Self.begin(padded.map { $0 ^ 0x36 })
            outer = Self.begin(padded.map { $0 ^ 0x5C })
        }

        private static func begin(_ block: [UInt8]) -> cdigest_sha256 {
            var digest = cdigest_sha256()
            cdigest_sha256_begin(&digest)
            cdigest_sha256_add(&digest, block, block.count)
            return digest
        }

        func authenticate(_ message: [UInt8]) -> [UInt8] {
            Self.end(outer, Self.end(inner, message))
        }

        /// Replaces a digest by its own HMAC, without allocating: a code is hashed many thousand times.
        func authenticate(inPlace digest: UnsafeMutableRawBufferPointer) {
            guard let start = digest.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            var state = inner
            cdigest_sha256_add(&state, start, size)
            cdigest_sha256_end(&state, start)
            state = outer
            cdigest_sha256_add(&state, start, size)
            cdigest_sha256_end(&state, start)
        }

        private static func end(_ begun: cdigest_sha256, _ bytes: [UInt8]) -> [UInt8] {
            var digest = begun
            var result = [UInt8](repeating: 0, count: size)
            cdigest_sha256_add(&digest, bytes, bytes.count)
            cdigest_sha256_end(&digest, &result)
            return result
        }
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = cdigest_sha256()
        var result = [UInt8](repeating: 0, count: size)
        cdigest_sha256_begin(&digest)
        cdigest_sha256_add(&digest, bytes, bytes.count)
        cdigest_sha256_end(&digest, &result)
        return result
    }
}
