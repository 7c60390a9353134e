/// What befalls the wire between a client and its server.
public enum WireFault: String, CaseIterable, Sendable, Hashable {
    /// Both halves are closed in good order (FIN).
    case end
    /// Both ends are told that the connection is broken (RST).
    case reset
    /// Nothing is taken any more in either direction, and nobody is told.
    case blackHole
    /// Everything is taken and nothing arrives, in either direction.
    case swallow
    /// One direction is closed in good order, the other goes on.
    case halfClose
    /// One direction falls silent, the other goes on.
    case oneWay
    /// Broken, and for 2 s nobody listens: the next attempts are refused.
    case refusal
    /// Everything stands still for 3 s and then goes on: slow, but alive.
    case stall

    /// Whether the connection is lost by it.
    public var isLoss: Bool { self != .stall }
}

/// A direction of the wire.
public enum WireWay: String, CaseIterable, Sendable, Hashable {
    /// From the client to the server.
    case up
    /// From the server to the client.
    case down
}
