import GlassesDomain
import GlassesWebSocket

/// How a handler answers a request.
public enum HTTPAnswer: Sendable {
    /// A plain answer.
    case response(HTTPResponse)
    /// Switching to WebSocket. A request that did not ask for it is answered with 426 instead.
    case upgrade(WebSocketUpgrade)
}

/// The acceptance of a WebSocket.
public struct WebSocketUpgrade: Sendable {
    /// The selected subprotocol, one of those offered; nil selects none. One that was not offered is answered with 500.
    public var subprotocol: String?
    /// Further header lines of the 101 answer.
    public var headers: HTTPFields
    /// What this connection's unfinished messages count against, together with others; nil for no common bound.
    public var budget: InboundBudget?
    /// Called once, on the server's loop thread, when the socket is open; what it returns hears of the connection from
    /// then on.
    public var accept: @Sendable (any WebSocketChannel) -> any WebSocketReceiver
    /// Called once instead of `accept`, on any thread, when the socket never opened: the client left, the time was up,
    /// or the server stops.
    public var abandoned: @Sendable () -> Void

    /// An acceptance of the given parts.
    public init(
        subprotocol: String? = nil, headers: HTTPFields = [:], budget: InboundBudget? = nil,
        abandoned: @escaping @Sendable () -> Void = {},
        accept: @escaping @Sendable (any WebSocketChannel) -> any WebSocketReceiver
    ) {
        self.subprotocol = subprotocol
        self.headers = headers
        self.budget = budget
        self.abandoned = abandoned
        self.accept = accept
    }
}

extension HTTPAnswer {
    /// Tells whoever waits for this answer's socket or stream that it is not going to be used.
    func discard() {
        switch self {
        case .response(let response): if case .stream(let stream) = response.body { stream.abandon() }
        case .upgrade(let upgrade): upgrade.abandoned()
        }
    }
}
