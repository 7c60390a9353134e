import GlassesDomain

/// How the session greets after its first wake.
public enum GreetingPlan: Sendable, Hashable, Codable {
    case none
    /// Ask the provider to greet by this directive, inside the conversation.
    case compose(directive: String)
    /// Have this text spoken, outside the conversation.
    case speak(text: String)

    /// The plan for a directive (nil: no greeting); a provider that cannot compose speaks `fallback` instead.
    public static func plan(directive: String?, canCompose: Bool, fallback: String) -> GreetingPlan {
        guard let directive else { return .none }
        return canCompose ? .compose(directive: directive) : .speak(text: fallback)
    }
}

/// How the words of a spoken answer arrive in relation to their audio.
public enum TranscriptPacing: Sendable, Hashable, Codable {
    /// Anywhere in the course of the answer: position in the text is taken in proportion to the audio.
    case continuous
    /// Each delta is a sentence and comes before its audio (the embedded pipeline): the proportion holds inside one sentence.
    case sentenceBeforeAudio
}

/// Everything about a session that does not change while it lives.
public struct SessionConfiguration: Sendable, Hashable, Codable {
    /// The provider's name in `sessionStarted`.
    public var providerName = "embedded"
    /// The model named in `sessionStarted` when the provider does not say; nil when unknown.
    public var defaultModel: String?
    /// Whether `start` also wakes.
    public var startsActive = false
    /// How to greet after the first wake; later wakes and reconnects never greet.
    public var greeting = GreetingPlan.none
    /// Whether the app has an `onWake` hook.
    public var hasWakeHook = false
    /// Whether the app has an `onSleep` hook.
    public var hasSleepHook = false
    /// How long nothing may happen before the session sleeps; nil: never.
    public var silenceTimeout: Duration? = .seconds(60)
    /// Phrases of the user after which the session sleeps.
    public var sleepPhrases: [String] = []
    /// The most turns that history keeps, above 0.
    public var historyCap = 100
    /// What becomes of a history that grows towards its cap.
    public var compaction = CompactionPlan.forget
    /// Whether what the user says is remembered beyond the session.
    public var remembers = false
    /// The registered tools, checked by ``ToolSchemaCheck``.
    public var tools: [ToolFacts] = []
    /// How many tool bodies run at once.
    public var toolPlaces = ToolLedger.places
    /// What the user says, and nothing else, to cancel tools.
    public var cancelPhrases: [String] = []
    /// Frames per second of answer audio.
    public var outputRate = 24_000
    /// How transcripts arrive.
    public var transcriptPacing = TranscriptPacing.continuous
    /// What becomes of pictures at the provider.
    public var pictures = PictureTreatment.seen
    /// How long the provider lets a connection live when it does not say; nil: for ever.
    public var sessionCeiling: Duration?
    /// What the provider has of the realtime protocol, if that is not all of it.
    public var capabilities: RealtimeCapabilities?
    /// How long a lost device may stay away.
    public var deviceReturnLimit = Duration.seconds(20)
    /// How lost connections are opened again; nil: as `ReconnectConfig.standard`.
    public var reconnect: ReconnectConfig?
    /// What interrupts an answer, where the session decides it; nil: all speech does.
    public var interruption: InterruptionConfig?
    /// Who says when the user's turn begins and ends.
    public var turnTaking = TurnTaking.automatic
    /// Whether the words of utterances can be expected.
    public var transcribesInput = true
    /// Whether the greeting is not cut by the user's voice; it then stays outside the conversation.
    public var protectsGreeting = false
    /// Wall-clock milliseconds since 1970 at the monotonic clock's zero: what stamps turns.
    public var wallClockOffsetMilliseconds: Int64 = 0
    /// The seed of the reconnect jitter and of the prefix of item ids; the driver draws it.
    public var randomSeed: UInt64 = 0

    /// The defaults.
    public init() {}
}
