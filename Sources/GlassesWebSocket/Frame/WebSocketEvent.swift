import GlassesDomain

/// What a peer said, once it is complete and checked.
public enum WebSocketEvent: Sendable, Hashable {
    /// A whole message, assembled from its fragments; a text is valid UTF-8.
    case message(RealtimeMessage)
    /// The peer asks for a pong with the same payload, at most 125 bytes.
    case ping([UInt8])
    /// The answer to a ping, or an unasked sign of life; at most 125 bytes.
    case pong([UInt8])
    /// The peer closes and sends nothing more. The code is nil when it gave none; the reason has at most 123 bytes.
    case close(code: UInt16?, reason: String)
}
