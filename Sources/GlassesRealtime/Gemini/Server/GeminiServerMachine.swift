import GlassesDomain

/// A server of Gemini Live in front of a session of the realtime protocol: takes a client's messages and the session's events,
/// and says what goes to whom.
///
/// What Gemini Live does by itself (an answer after a turn, an interruption by new content) is asked of the session here. Pure: no
/// clock and no randomness.
public struct GeminiServerMachine: Sendable, Hashable {
    /// What happened.
    public enum Input: Sendable, Hashable {
        /// The client sent a message.
        case message(GeminiClientMessage)
        /// The session sent an event.
        case event(ServerEvent)
        /// The session ends in so many milliseconds.
        case ending(leftMs: Int)
    }

    /// What is to be done, in order.
    public enum Action: Sendable, Hashable {
        /// Begin a session with this model and configuration; its `session.updated` is awaited.
        case begin(model: String, SessionUpdate)
        /// Give this to the session.
        case send(ClientEvent)
        /// Give this audio to the session, at its own rate.
        case append(GeminiBlob)
        /// Send this to the client.
        case deliver(GeminiServerMessage)
        /// Close the client's connection: Gemini Live has no other errors.
        case close(code: UInt16, reason: String)
    }

    enum Stage: Sendable, Hashable {
        case fresh
        case configuring(isResumable: Bool)
        case ready
        case closed
    }

    /// What a client sends in the wrong way.
    static let invalidArgument: UInt16 = 1_007
    /// What it may not have.
    static let refused: UInt16 = 1_008
    /// What went wrong here.
    static let failed: UInt16 = 1_011

    var stage = Stage.fresh
    /// Whether the client says when the user speaks.
    var isManual = false
    var interrupts = true
    var transcribesInput = false
    var transcribesOutput = false

    /// The answer that is open.
    var answerId: String?
    /// An answer was asked for and has not begun.
    var isAsking = false
    /// An answer is to be asked for when the one that is open has ended.
    var wantsAnswer = false
    /// The answer that was asked for is not wanted any more when it begins.
    var cutsAnswer = false
    /// Until when the client may be playing what it has got.
    var playsUntil = MonotonicTime.zero
    /// The calls that wait for results.
    var calls: Set<String> = []
    /// The newest ones that were made together, whose results are asked about together.
    var round: Set<String> = []
    /// The frame that the session has; an older one is taken out of it.
    var frame: String?
    private var frames = 0
    var actions: [Action] = []

    /// A server that no client has spoken to.
    public init() {}

    /// Applies what happened at `now` and says what is to be done.
    public mutating func apply(_ input: Input, at now: MonotonicTime) -> [Action] {
        if stage != .closed {
            switch input {
            case .message(let message): receive(message)
            case .event(let event): receive(event, at: now)
            case .ending(let leftMs): deliver(.goAway(timeLeftMs: leftMs))
            }
        }
        defer { actions = [] }
        return actions
    }

    mutating func send(_ event: ClientEvent) { actions.append(.send(event)) }
    mutating func deliver(_ body: GeminiServerMessage.Body) { actions.append(.deliver(GeminiServerMessage(body))) }

    mutating func close(_ code: UInt16, _ reason: String) {
        stage = .closed
        actions.append(.close(code: code, reason: reason))
    }

    /// Asks for an answer; one that is open gives way to it when it `interrupts`.
    mutating func ask(interrupting: Bool) {
        guard answerId != nil || isAsking else {
            isAsking = true
            return send(.responseCreate(nil))
        }
        wantsAnswer = true
        guard interrupting else { return }
        if let answerId { send(.responseCancel(responseId: answerId)) } else { cutsAnswer = true }
    }

    /// The id of another frame, and of the one before it.
    mutating func nextFrame() -> (id: String, previous: String?) {
        frames += 1
        defer { frame = "item_frame_\(frames)" }
        return ("item_frame_\(frames)", frame)
    }
}
