/// One message of a realtime connection, as it stands on the wire.
public enum RealtimeMessage: Sendable, Hashable {
    /// A UTF-8 JSON event.
    case text([UInt8])
    /// A negotiated binary frame.
    case binary([UInt8])
}

/// How a message waits when the peer reads slowly.
public enum UplinkLane: Sendable, Hashable {
    /// Events that must arrive: never dropped; more than the connection's bound counts as a lost connection.
    case control
    /// Microphone audio: at most 5 s wait; more counts as a lost connection.
    case audio
}

/// What became of a message that was handed to a connection.
public enum UplinkOutcome: Sendable, Hashable {
    case accepted
    /// The connection is closed or its bound is reached; the message will not be sent.
    case refused
}

/// Why a realtime connection ended, or could not be opened.
public struct ConnectionClosure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The HTTP status of a refused handshake; nil when the handshake was accepted or never answered.
    public var httpStatus: Int?
    /// The WebSocket close code (RFC 6455 section 7.4; 1006 when the link dropped); nil before a connection existed.
    public var closeCode: UInt16?
    /// The machine-readable cause, such as `connection_refused`, `timeout`, `closed`, `engine_unavailable`.
    public var code: String
    /// One sentence for a person, with the next step and without secrets.
    public var message: String
    /// The value of a `Retry-After` header in seconds, if one was given.
    public var retryAfter: Double?

    /// A closure with the given facts.
    public init(
        code: String, message: String, httpStatus: Int? = nil, closeCode: UInt16? = nil, retryAfter: Double? = nil
    ) {
        self.code = code
        self.message = message
        self.httpStatus = httpStatus
        self.closeCode = closeCode
        self.retryAfter = retryAfter
    }

    /// The sentence.
    public var description: String { message }
}

/// What a realtime connection reports, in order; `closed` is the last and comes exactly once.
public enum RealtimeInbound: Sendable, Hashable {
    case message(RealtimeMessage)
    case closed(ConnectionClosure)
}

/// An open realtime connection: a WebSocket to a gateway, or the pipeline in this process.
public protocol RealtimeConnection: AnyObject, Sendable {
    /// Queues a message and returns at once; callable on any thread.
    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome
    /// The messages and the end; one consumer. It finishes after `closed`.
    var inbound: AsyncStream<RealtimeInbound> { get }
    /// Starts a clean close and returns at once; `closed` follows within 2 s. Later calls change nothing.
    func close(code: UInt16, reason: String)
}

/// What a new connection is for.
public struct RealtimeRequest: Sendable, Hashable {
    /// The model name asked for; nil leaves the choice to the gateway.
    public var model: String?

    /// A request for `model`.
    public init(model: String? = nil) { self.model = model }
}

/// What becomes of pictures at a realtime provider.
public enum PictureTreatment: Sendable, Hashable, CaseIterable, Codable {
    /// They are passed on to a model, which sees them if it can; links to pictures are followed by the provider.
    case seen
    /// They stay on this machine, which tells their size, brightness and age and recognises nothing; links are not followed.
    case measured
}

/// Where realtime connections come from: a remote gateway or the embedded pipeline.
public struct RealtimeConnector: Sendable {
    /// The name of the provider in `sessionStarted` events, such as `embedded`.
    public var providerName: String
    /// The model name reported when the request names none, such as `local`; nil when unknown.
    public var defaultModel: String?
    /// One sentence that says where the microphone's audio goes.
    public var audioDestination: String
    /// Whether the provider can compose free text, so that a greeting directive makes sense to it.
    public var canCompose: Bool
    /// What becomes of pictures; ``PictureTreatment/seen`` by default.
    public var pictures = PictureTreatment.seen
    /// Whether the provider can leave it to its client what interrupts an answer and which turns are answered (`interrupt_response`
    /// and `create_response`); true by default.
    public var leavesTurnsToClient = true
    /// How long the provider lets a session live that does not say when it ends; nil, the default: for ever.
    public var sessionCeiling: Duration?
    /// What the provider has of the realtime protocol; ``RealtimeCapabilities/openAI``, all of it, by default.
    public var capabilities = RealtimeCapabilities.openAI
    /// Opens a connection within 10 s; throws ``ConnectionClosure`` and `CancellationError`. Cancelling abandons the attempt.
    public var connect: @Sendable (RealtimeRequest) async throws -> any RealtimeConnection

    /// A connector made of its facts and its connect function.
    public init(
        providerName: String, defaultModel: String?, audioDestination: String, canCompose: Bool,
        connect: @escaping @Sendable (RealtimeRequest) async throws -> any RealtimeConnection
    ) {
        self.providerName = providerName
        self.defaultModel = defaultModel
        self.audioDestination = audioDestination
        self.canCompose = canCompose
        self.connect = connect
    }
}
