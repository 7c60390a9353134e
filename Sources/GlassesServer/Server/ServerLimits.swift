/// The bounds that a server sets to its peers unless it is told otherwise.
public struct ServerLimits: Sendable, Hashable {
    /// How many connections may be open at once, upgraded ones included; further ones are answered with 503.
    public var connections = 2_048
    /// How many connections one remote address may have open at once; further ones are answered with 429. 0 sets no
    /// bound.
    public var connectionsPerAddress = 0

    /// The longest request target, in bytes; a longer one is answered with 414.
    public var requestTarget = 8 << 10
    /// The largest sum of header names and values, in bytes; a larger one is answered with 431.
    public var requestHeaders = 16 << 10
    /// The most header lines; more are answered with 431.
    public var headerLines = 100
    /// The largest body of a plain request, in bytes; a larger one is answered with 413.
    public var requestBody = 1 << 20

    /// How long the head of a request may take, the TLS handshake included; then 408.
    public var headTime = Duration.seconds(10)
    /// How long a request's body may take; then 408.
    public var bodyTime = Duration.seconds(30)
    /// How long the handler may take to answer; then 504.
    public var answerTime = Duration.seconds(30)
    /// How long the peer may take to read an answer of known length; then its connection is dropped.
    public var sendTime = Duration.seconds(60)
    /// How long a connection without a request, or a stream whose peer reads nothing, is kept.
    public var idleTime = Duration.seconds(30)

    /// The largest WebSocket message taken, in bytes; a larger one ends its connection with 1009.
    public var inboundMessage = 21 << 20
    /// How many outbound bytes make a WebSocket's receiver hear `WebSocketReceiver.drained()` once they are gone.
    public var outboundHighWater = 256 << 10
    /// How many outbound bytes may wait for one slow reader; a message beyond ends its connection with 1006, since a
    /// close frame would wait behind them. Room for two of the largest server events (8 MiB).
    public var outboundQueue = 16 << 20
    /// How often a WebSocket that says nothing is asked for a sign of life.
    public var pingInterval = Duration.seconds(25)
    /// How long a WebSocket may give no sign of life before it is dropped with 1006.
    public var silence = Duration.seconds(60)
    /// How long the peer may take to answer a close before its socket is dropped.
    public var closeTime = Duration.seconds(2)

    /// The default bounds.
    public init() {}
}
