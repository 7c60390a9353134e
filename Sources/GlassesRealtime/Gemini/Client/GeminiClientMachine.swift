import GlassesDomain

/// A client of Gemini Live behind the events of the realtime protocol: takes a client's events and a server's messages, and says
/// what goes to whom.
///
/// It holds the conversation's state that Gemini Live keeps to itself: items and their ids, which answer is open, calls that wait
/// for results, the handle for resuming. What the protocol has and Gemini Live has not is done here (retrieve, truncate, delete) or
/// refused with an `error` event. Pure: no clock, no randomness; ids carry the prefix that it is given.
public struct GeminiClientMachine: Sendable, Hashable {
    /// What happened.
    public enum Input: Sendable, Hashable {
        /// The connection to the server is open: the first one, or the one after ``Action/reconnect``.
        case opened
        /// The client sent an event.
        case event(Identified<ClientEvent>)
        /// The server sent a message.
        case message(GeminiServerMessage)
        /// The connection has dropped. It is opened again if nothing is lost by that; if nothing is to be done the session is over.
        case dropped
    }

    /// What is to be done, in order.
    public enum Action: Sendable, Hashable {
        /// Send this to the server.
        case send(GeminiClientMessage)
        /// Give this to the client.
        case deliver(Identified<ServerEvent>)
        /// Drop the connection, with everything that it still brings, and open another one.
        case reconnect
        /// The session cannot go on: too much waited for the server's answer.
        case fail(code: String, message: String)
    }

    /// How far the server is.
    enum Stage: Sendable, Hashable {
        /// It has been told nothing.
        case fresh
        /// It has not accepted the setup; these `session.update` events are answered when it has.
        case settingUp(answering: [String?])
        case ready
    }

    /// Events that wait for the server to accept a setup: thousands of times what a client sends in that second.
    static let waitingLimit = 4_096
    /// Their audio: 5 s, as everywhere on the way of the microphone.
    static let waitingAudioLimit = 5 * Self.audioBytesPerSecond
    /// The rest of them, in bytes: as much as one event of a client may bring.
    static let waitingBytesLimit = RealtimeLimits.gatewayInboundBytes
    /// The words of one utterance or answer, in bytes: hours of speech. What a server says beyond that is nonsense and dropped.
    static let wordsLimit = 1 << 20
    /// PCM16 at 24 kHz, the protocol's own format.
    static let audioBytesPerSecond = 48_000

    let prefix: String
    var session: RealtimeSession
    /// What the server was told last.
    var setup: GeminiSetup
    var stage = Stage.fresh
    var waiting: [Identified<ClientEvent>] = []
    var waitingAudio = 0
    var waitingBytes = 0
    /// The handle by which the session can be resumed as it is now: one that is older than the last turn would bring back a
    /// conversation without it.
    var handle: String?
    var isGoingAway = false
    /// Whether this connection has brought something of the conversation.
    var hasWorked = false

    var ledger = GeminiItemLedger()
    var turns = GeminiTurns()
    var calls = GeminiCalls()
    var microphone = GeminiMicrophone()
    var utterance: GeminiUtterance?
    /// Words that came while an answer was on its way and that may begin the next utterance.
    var earlyWords = ""
    /// The user has spoken and the answer has not begun.
    var hasUserTurn = false

    var answer: GeminiAnswer?
    /// The `response.create` that the server has not begun to answer.
    var request: GeminiRequest?
    /// The server's turn has begun and is not over.
    var isTurnOpen = false
    /// The rest of a cancelled answer is dropped.
    var isSwallowing = false
    /// The end of a turn that was cut is still to come.
    var awaitsTurnEnd = false
    var usage: GeminiUsage?
    /// The client knows that the server sends audio that cannot be played.
    var hasToldForeignAudio = false

    private var numbers: [String: Int] = [:]
    var actions: [Action] = []

    /// A session with `model` at its server's collection of models; `prefix` makes the ids of this connection different from
    /// those of every other one.
    public init(model: String, prefix: String) {
        self.prefix = prefix
        session = RealtimeSession(id: "sess_\(prefix)", model: model)
        setup = GeminiSetup(session)
    }

    /// Whether the server has accepted what it was told last.
    public var isAccepted: Bool { stage == .ready }

    /// Applies what happened and says what is to be done.
    public mutating func apply(_ input: Input) -> [Action] {
        switch input {
        case .opened: opened()
        case .event(let event): take(event)
        case .message(let message): receive(message)
        case .dropped: isGoingAway = true
        }
        leaveWhenQuiet()
        defer { actions = [] }
        return actions
    }

    // MARK: - What the parts share

    mutating func newId(_ kind: String) -> String {
        let number = numbers[kind, default: 0] + 1
        numbers[kind] = number
        return "\(kind)_\(prefix)_\(number)"
    }

    mutating func send(_ message: GeminiClientMessage) {
        if message.changesConversation { handle = nil }
        actions.append(.send(message))
    }

    mutating func deliver(_ event: ServerEvent) {
        actions.append(.deliver(Identified(event, eventId: newId("event"))))
    }

    mutating func refuse(_ error: RealtimeErrorInfo, _ eventId: String?) {
        var error = error
        error.eventId = eventId
        deliver(.error(error))
    }

    /// Whether the client says when the user speaks.
    var isManual: Bool { session.input.turnDetection == nil }

    var conversationId: String { "conv_\(prefix)" }
}

extension GeminiClientMessage {
    /// Whether the server's conversation is another one afterwards; what is heard changes it when the server says so.
    fileprivate var changesConversation: Bool {
        switch self {
        case .clientContent, .toolResponse: true
        case .realtimeInput(let input):
            switch input {
            case .text, .video, .activityStart, .activityEnd: true
            case .audio, .audioStreamEnd, .mediaChunks, .unknown: false
            }
        case .setup, .unknown: false
        }
    }
}

/// A `response.create` that waits for its answer.
struct GeminiRequest: Sendable, Hashable {
    var isOutOfBand = false
    var metadata: [String: String]?
}
