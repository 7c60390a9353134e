/// Everything that a session needs to know before it starts.
///
/// A value that cannot be meant, such as a time-out of 0 s, is ``problem``, and the session's `start()` throws it before anything begins.
public struct AssistantConfig: Sendable {
    /// Code that runs when the session wakes or sleeps, on one of the session's tool threads.
    public typealias Hook = @Sendable (any AssistantSession) async throws -> Void

    /// The default of ``silenceTimeout``, in seconds.
    public static let defaultSilenceTimeout: Double = 60
    /// The default of ``toolTimeout``, in seconds.
    public static let defaultToolTimeout: Double = 30
    /// The default of ``deviceReturnTimeout``, in seconds.
    public static let defaultDeviceReturnTimeout: Double = 20
    /// The default of ``historyCap``, in turns.
    public static let defaultHistoryCap = 100
    /// The default of ``maxConcurrentTools``, and its most: one for each of the app's threads.
    public static let defaultMaxConcurrentTools = 8
    /// The default of ``cancelPhrases``.
    public static let defaultCancelPhrases = [
        "cancel", "cancel that", "cancel it", "cancel please", "never mind", "nevermind", "forget it", "forget that",
    ]
    /// The default of ``deviceInfoNote``.
    public static let defaultDeviceInfoNote =
        "You speak through the user's device, described below. Offer only what it can do; get_device_info tells its present state."
    /// What is said as a greeting when nothing else is set and the provider cannot compose.
    public static let defaultFallbackGreeting = "Hello, I'm listening."

    /// Who answers.
    public var provider: AssistantProvider
    /// How the assistant should behave.
    public var instructions: String = ""
    /// The functions that it may call.
    public var tools: [ToolDefinition] = []
    /// Whether `start()` also wakes.
    public var startActive = false
    /// Runs after each wake; an error is reported as the event `error(kind: "wake_hook")`.
    public var onWake: Hook?
    /// Runs after each sleep; an error is reported as the event `error(kind: "sleep_hook")`.
    public var onSleep: Hook?
    /// Seconds without speech, playback or a running tool until the session sleeps, above 0; nil means never.
    public var silenceTimeout: Double? = AssistantConfig.defaultSilenceTimeout
    /// Phrases that put the session to sleep, matched as whole words without regard to case, accents and punctuation.
    public var sleepPhrases: [String] = []
    /// Whether the provider also writes down what the user says. Without it there is no `userSpoke`, the history lacks the user's
    /// words, and sleep phrases are not noticed.
    public var transcribesInput = true
    /// How many turns the history keeps, at least 1; see ``historyCompaction``.
    public var historyCap = AssistantConfig.defaultHistoryCap
    /// Whether the model may end the conversation by the built-in tool `end_conversation` when the user wants it to: the session sleeps
    /// once its goodbye was heard, unless the user goes on. A provider that follows rules calls it
    /// for phrases of farewell alone.
    public var endOnIntent = true
    /// Whether the model is told which device the user has, with each connection and when the device changes, and may ask again by the
    /// built-in tool `get_device_info`.
    public var includeDeviceInfoTool = true
    /// What the model is told about that; nil means ``defaultDeviceInfoNote``, "" nothing.
    public var deviceInfoNote: String?
    /// What becomes of the conversation when it grows towards ``historyCap``.
    public var historyCompaction = HistoryCompaction.auto
    /// The conversation's memory by one word: "smart" summarises and "basic" forgets the oldest turns, where ``historyCompaction`` is
    /// `.auto`; nil leaves it to that.
    public var withinSessionMemory: String?
    /// The model that summarises and reads conversations for what is to be remembered; nil means ``ChatPrompt/defaultModel``. It is
    /// asked at the configured gateway; without one, or where the gateway has no model that writes, rules do it.
    public var compactionModel: String?
    /// Whether what the user says is remembered beyond the session. What is kept are facts, and for a while the turns that they are
    /// read from; they are stored while the session runs, whenever it sleeps and when it ends.
    public var persistentMemory = false
    /// Whose memory it is; nil means everybody who uses this device.
    public var memoryUserId: String?
    /// Where it is kept; nil means a file that nobody else on this machine may read.
    public var memoryStore: (any MemoryStore)?
    /// What is said on the first wake.
    public var greeting: Greeting = .default
    /// What is said instead where the provider cannot compose; nil means ``defaultFallbackGreeting``, "" nothing.
    public var fallbackGreeting: String?
    /// How long a tool may run, in seconds, above 0, unless it says so itself.
    public var toolTimeout: Double = AssistantConfig.defaultToolTimeout
    /// How many tool bodies run at once, 1…8; a call beyond that is answered "busy", and so is one while bodies that were cancelled
    /// still run.
    public var maxConcurrentTools = AssistantConfig.defaultMaxConcurrentTools
    /// What the user says, word for word and nothing else, to cancel running tools whose policy allows it, and to take back what a tool
    /// asked to confirm. Case, accents and punctuation make no difference. It takes `transcribesInput`.
    public var cancelPhrases = AssistantConfig.defaultCancelPhrases
    /// Who says when the user's turn begins and ends.
    public var turnTaking = TurnTaking.automatic
    /// What of the user's speech over an answer interrupts it; nil: all of it does, from its first sound on. Has no effect with
    /// push-to-talk, and none at providers that decide it themselves (Gemini Live), which an `invalid_configuration` event says.
    public var interruption: InterruptionConfig?
    /// Whether the user's voice cuts the greeting. One that it does not cut stays outside the conversation.
    public var greetingIsInterruptible = true
    /// Whether silence is sent to the provider too. Without it, the microphone is sent from 300 ms before a sound that may be speech
    /// until so long after it that the provider has heard the end of the turn. A gate saves traffic and may cost a soft word.
    public var sendsSilence = true
    /// How long the device may be away before the session sleeps, in seconds, above 0.
    public var deviceReturnTimeout: Double = AssistantConfig.defaultDeviceReturnTimeout
    /// How a lost connection is opened again, and when the session gives up.
    public var reconnect = ReconnectConfig.standard

    /// A configuration by the fields of the original, each with its default; what this runtime adds is set on the result.
    public init(
        provider: AssistantProvider, instructions: String = "", tools: [ToolDefinition] = [], startActive: Bool = false,
        onWake: Hook? = nil, onSleep: Hook? = nil,
        silenceTimeout: Double? = AssistantConfig.defaultSilenceTimeout, sleepPhrases: [String] = [],
        endOnIntent: Bool = true, historyCap: Int = AssistantConfig.defaultHistoryCap,
        historyCompaction: HistoryCompaction = .auto, compactionModel: String? = nil,
        withinSessionMemory: String? = nil, persistentMemory: Bool = false, memoryUserId: String? = nil,
        memoryStore: (any MemoryStore)? = nil, greeting: Greeting = .default, includeDeviceInfoTool: Bool = true,
        deviceInfoNote: String? = nil, fallbackGreeting: String? = nil
    ) {
        self.provider = provider
        self.instructions = instructions
        self.tools = tools
        self.startActive = startActive
        self.onWake = onWake
        self.onSleep = onSleep
        self.silenceTimeout = silenceTimeout
        self.sleepPhrases = sleepPhrases
        self.endOnIntent = endOnIntent
        self.historyCap = historyCap
        self.historyCompaction = historyCompaction
        self.compactionModel = compactionModel
        self.withinSessionMemory = withinSessionMemory
        self.persistentMemory = persistentMemory
        self.memoryUserId = memoryUserId
        self.memoryStore = memoryStore
        self.greeting = greeting
        self.includeDeviceInfoTool = includeDeviceInfoTool
        self.deviceInfoNote = deviceInfoNote
        self.fallbackGreeting = fallbackGreeting
    }
}
