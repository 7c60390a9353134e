import GlassesDomain

/// Why a bridge cannot be set up.
public struct DATBridgeError: ExtentosErrorDescription, Sendable, Hashable {
    /// The machine-readable code: `address`, `listen`, `url`, `pairing_file`, `name` or `heartbeat`; for a WebSocket
    /// also those of the server's `ServerError`, such as `listen_address`.
    public let code: String
    /// A sentence for a person, with the next step.
    public let message: String

    /// Always the caller's: the set-up has to change.
    public var blame: Blame { .local }
    /// The sentence.
    public var description: String { message }

    init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }

    static func pairingFile(_ path: String, _ reason: String) -> DATBridgeError {
        DATBridgeError("pairing_file", "The file of paired phones, \(path), \(reason).")
    }
}
