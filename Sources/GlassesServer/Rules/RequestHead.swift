import GlassesWebSocket

/// What is known of a request when its head is complete.
struct RequestHead {
    var method: String
    /// The request line's version, such as `HTTP/1.1`.
    var version: String
    /// The target as it was sent; nil when it was not ASCII.
    var target: String?
    var fields: HTTPFields
    /// The peer.
    var remote: IPAddress
    /// This machine's address that the peer connected to.
    var local: IPAddress
    var isTLS: Bool
    /// Set when the connection is one too many and only waits for being told so.
    var crowding: Crowding?
}

/// Why a connection is one too many.
enum Crowding: Equatable {
    case server
    case address
}
