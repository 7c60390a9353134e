import GlassesWebSocket

/// A request that passed the server's rules, with its whole body.
public struct HTTPRequest: Sendable, Hashable {
    /// One item of the query.
    public struct QueryItem: Sendable, Hashable {
        /// The decoded name.
        public var name: String
        /// The decoded value; empty when there was none.
        public var value: String

        /// The item `name=value`.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The method as it was written, such as `GET`.
    public var method: String
    /// The percent-decoded path, which begins with `/` and has neither `.` and `..` segments nor control characters.
    public var path: String
    /// The decoded segments of the path; unlike ``path`` they tell an encoded `/` from a separator.
    public var pathSegments: [String]
    /// What the segments in braces of the route's path stand for; empty without an ``HTTPRouter``.
    public var pathParameters: [String: String] = [:]
    /// The decoded query, in order; a `+` is a space.
    public var query: [QueryItem]
    /// The header lines.
    public var headers: HTTPFields
    /// The body, at most ``ServerLimits/requestBody`` bytes.
    public var body: [UInt8]
    /// The peer's address without its port, such as `127.0.0.1` or `::1`.
    public var remoteAddress: String
    /// Whether the peer is this machine.
    public var isLoopback: Bool
    /// Whether the connection is encrypted.
    public var isTLS: Bool
    /// What a WebSocket client offers; nil for a plain request. Browsers carry keys among the subprotocols: never log
    /// or select those.
    public var webSocket: WebSocketUpgradeOffer?

    /// The first value of the query item `name`.
    public func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
