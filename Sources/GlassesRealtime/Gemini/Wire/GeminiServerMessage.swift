import GlassesDomain

/// What a server of Gemini Live says.
public struct GeminiServerMessage: Sendable, Hashable {
    /// The news; nil in a message that only counts tokens.
    public var body: Body?
    /// The tokens so far, which may come with any news.
    public var usage: GeminiUsage?

    /// A message.
    public init(_ body: Body?, usage: GeminiUsage? = nil) {
        self.body = body
        self.usage = usage
    }

    /// The news of a message.
    public enum Body: Sendable, Hashable {
        /// The setup is accepted; the first message.
        case setupComplete(sessionId: String?)
        /// Something of the conversation.
        case serverContent(GeminiServerContent)
        /// The model wants functions called.
        case toolCall([GeminiFunctionCall])
        /// Calls are not wanted any more.
        case toolCallCancellation(ids: [String])
        /// The connection ends soon, in so many milliseconds if the server says how many.
        case goAway(timeLeftMs: Int?)
        /// By which handle the session can be resumed from here; nil while it cannot be.
        case sessionResumptionUpdate(handle: String?)
        /// The server hears that speech begins or ends.
        case voiceActivity(GeminiVoiceActivity)
        /// A kind that is not known here, as the whole message came.
        case unknown(JSONValue)
    }
}

/// Something of the conversation, in a server's message.
public struct GeminiServerContent: Sendable, Hashable {
    /// A piece of the answer.
    public var modelTurn: GeminiContent?
    /// Words of the user.
    public var inputTranscription: GeminiTranscription?
    /// Words that the answer speaks.
    public var outputTranscription: GeminiTranscription?
    /// The user has cut the answer.
    public var isInterrupted = false
    /// All of the answer has been sent.
    public var isGenerationComplete = false
    /// The turn is over; the server waits for the user.
    public var isTurnComplete = false
    /// Why it is over, when that is out of the ordinary.
    public var turnCompleteReason: String?
    /// Fields that are not known here.
    public var extra: [String: JSONValue] = [:]

    /// Nothing yet.
    public init() {}
}

/// Words that were spoken.
public struct GeminiTranscription: Sendable, Hashable {
    /// The words that are new.
    public var text: String
    /// Whether no more follow.
    public var isFinished: Bool

    /// New words.
    public init(text: String, isFinished: Bool = false) {
        self.text = text
        self.isFinished = isFinished
    }
}

/// The server hears that speech begins or ends.
public struct GeminiVoiceActivity: Sendable, Hashable {
    /// Whether it begins.
    public var isStart: Bool
    /// Where, in ms of all audio of the connection; nil when the server does not say.
    public var offsetMs: Int?

    /// A beginning or an end.
    public init(isStart: Bool, offsetMs: Int? = nil) {
        self.isStart = isStart
        self.offsetMs = offsetMs
    }
}

/// The tokens that were used.
public struct GeminiUsage: Sendable, Hashable {
    /// Tokens of everything that the model was given.
    public var promptTokens = 0
    /// Tokens of what it answered.
    public var responseTokens = 0
    /// All tokens.
    public var totalTokens = 0
    /// The prompt's tokens by kind, such as `AUDIO`.
    public var promptDetails: [String: Int] = [:]
    /// The answer's tokens by kind.
    public var responseDetails: [String: Int] = [:]

    /// No tokens.
    public init() {}
}
