/// The bounds that a server sets to its peers unless it is told otherwise.
public struct ServerLimits: Sendable, Hashable {
    /// How many connections may be open at once, upgraded ones included.
    public var connections = 2_048
    /// The largest WebSocket message taken, in bytes; a larger one ends its connection with 1009.
    public var inboundMessage = 21 << 20
    /// The largest body of a plain request, in bytes; a larger one is answered with 413.
    public var requestBody = 1 << 20

    /// The default bounds.
    public init() {}
}
