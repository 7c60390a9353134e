import MWDATCore

/// What both ends of a greeting prove: everything that was said, so that no part of it can be exchanged or used again.
struct GreetingTranscript: Sendable, Equatable {
    /// Bytes of a nonce.
    static let nonceSize = 32

    var version: Int
    var offered: [Int]
    var peer: String
    var host: String
    var secret: LinkSecret
    var peerNonce: String
    var hostNonce: String

    /// The text that is authenticated.
    var text: String {
        let offered = offered.map(String.init).joined(separator: ",")
        return ["dat-bridge", String(version), offered, peer, host, secret.rawValue, peerNonce, hostNonce]
            .joined(separator: "\n")
    }

    /// What the phone sends to show that it knows the secret.
    func phoneProof(_ secret: [UInt8]) -> [UInt8] { authenticate("phone", secret) }
    /// What this end sends to show the same.
    func hostProof(_ secret: [UInt8]) -> [UInt8] { authenticate("host", secret) }
    /// The key that both ends keep after a code was proved; it is never sent.
    func pairingKey(_ secret: [UInt8]) -> [UInt8] { authenticate("key", secret) }

    private func authenticate(_ purpose: String, _ secret: [UInt8]) -> [UInt8] {
        MessageAuthentication.hmac("\(purpose)\n\(text)".utf8, key: secret)
    }

    /// The secret that a code stands for in this greeting alone; nil when a nonce is no nonce.
    func secret(ofCode code: String, rounds: Int) -> [UInt8]? {
        guard let peer = Hexadecimal.bytes(peerNonce, count: Self.nonceSize),
            let host = Hexadecimal.bytes(hostNonce, count: Self.nonceSize)
        else { return nil }
        return MessageAuthentication.derive(password: Array(code.utf8), salt: peer + host, rounds: rounds)
    }
}
