import Foundation

/// The two functions that the greeting needs.
struct BridgeHash: Sendable {
    /// HMAC-SHA-256 of a message under a key.
    var hmac: @Sendable (_ message: Data, _ key: Data) -> Data
    /// PBKDF2-HMAC-SHA-256: 32 bytes of a password, a salt and a number of rounds; nil when the system refuses.
    var derive: @Sendable (_ password: Data, _ salt: Data, _ rounds: Int) -> Data?
}

#if canImport(CommonCrypto)
    import CommonCrypto

    extension BridgeHash {
        /// The phone's own.
        static let system = BridgeHash(
            hmac: { message, key in
                var result = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
                CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), Array(key), key.count, Array(message), message.count, &result)
                return Data(result)
            },
            derive: { password, salt, rounds in
                var result = [UInt8](repeating: 0, count: 32)
                let status = CCKeyDerivationPBKDF(
                    CCPBKDFAlgorithm(kCCPBKDF2), String(decoding: password, as: UTF8.self), password.count, Array(salt),
                    salt.count, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), UInt32(rounds), &result, result.count)
                return status == kCCSuccess ? Data(result) : nil
            })
    }
#endif
