import GlassesDomain

/// What a loop tells the receiver of an open WebSocket.
public enum WebSocketNotice: Sendable, Hashable {
    /// A complete message came.
    case message(RealtimeMessage)
    /// All that waited for the kernel is gone, after more than the high-water mark had waited.
    case drained
    /// The connection ended; the last notice, and exactly one. The socket may live on for the close frame.
    case closed(ConnectionClosure)
}
