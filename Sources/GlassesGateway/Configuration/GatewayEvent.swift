import GlassesDomain

/// What a gateway tells its operator; without keys and without anything that was said.
public enum GatewayEvent: Sendable, Hashable {
    /// A session began.
    case sessionStarted(GatewaySession)
    /// A session ended.
    case sessionEnded(GatewaySession, GatewaySessionSummary)
    /// An upstream did not accept a session or a chat, or did not answer a chat to its end; with the status, the cause and the wait that
    /// it asks for, without its words. A client that left first is no refusal.
    case upstreamRefused(model: String, host: String, ConnectionClosure)
}

/// One session of a gateway.
public struct GatewaySession: Sendable, Hashable {
    /// Its number since the start, from 1.
    public let number: Int
    /// The model's name as the client gave it, or the default.
    public let model: String
    /// The host that it is relayed to; nil when it is served here.
    public let upstream: String?
    /// The place of the client's token among the configured ones, from 1; nil without tokens.
    public let token: Int?
    /// Whether its audio travels as Opus.
    public var isOpus = false
}

/// What came of a session.
public struct GatewaySessionSummary: Sendable, Hashable {
    /// How long it lasted, in seconds.
    public var seconds: Double
    /// Messages of the client.
    public var received: Int
    /// Messages to the client.
    public var sent: Int
    /// Binary frames of the client that could not be taken.
    public var droppedFrames = 0
    /// The close code on the client's side (RFC 6455); 1006 when its connection was lost.
    public var closeCode: UInt16
}
