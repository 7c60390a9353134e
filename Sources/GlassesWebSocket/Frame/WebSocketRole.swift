/// Which end of a WebSocket this process is.
public enum WebSocketRole: Sendable, Hashable {
    /// It opened the connection: it masks what it sends and takes only unmasked frames.
    case client
    /// It accepted the connection: it sends unmasked and takes only masked frames.
    case server
}
