/// The bounds of one open WebSocket.
public struct WebSocketLimits: Sendable, Hashable {
    /// The largest message taken, in bytes; a larger one ends the connection with 1009.
    public var inboundMessage: Int
    /// How many bytes of control messages may wait; more counts as a lost connection.
    public var controlBytes: Int
    /// How many bytes of audio messages may wait; more counts as a lost connection.
    public var audioBytes: Int
    /// How long an audio message may wait; longer counts as a lost connection.
    public var audioAge = Duration.seconds(5)
    /// With more waiting bytes than this, the end of the wait is told; see ``WebSocketNotice/drained``.
    public var highWater: Int
    /// The longest frame of a message: what a pong waits for at most. Shorter messages stay whole.
    public var framePayload = 64 << 10
    /// How long a silent peer is left alone before it is asked for a sign of life; nil never asks.
    public var pingInterval: Duration? = .seconds(20)
    /// How long after that question a peer that stays silent counts as lost.
    public var pongTimeout = Duration.seconds(20)
    /// How long the closing handshake may take.
    public var close = Duration.seconds(2)

    /// Bounds with the defaults of the others: 5 s of audio, 64 KiB a frame, a ping after 20 s, 2 s to close.
    public init(inboundMessage: Int, controlBytes: Int, audioBytes: Int, highWater: Int) {
        self.inboundMessage = inboundMessage
        self.controlBytes = controlBytes
        self.audioBytes = audioBytes
        self.highWater = highWater
    }
}
