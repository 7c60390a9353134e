import GlassesCore

/// A configuration by its fields: the documented ones in the initialiser, what this runtime adds on the result.
func tourConfig(isMocked: Bool = false) -> AssistantConfig {
    // The stand-in needs no device, network or model: it calls a tool that the user names.
    let standIn = AssistantProvider.mock(behavior: MockBehavior.matchToolDescriptions)
    let model = AssistantProvider.managed(
        model: nil, voice: nil,
        turnDetection: .serverVad(threshold: 0.5, prefixPaddingMs: 300, silenceDurationMs: 500),
        reasoningEffort: .low)
    var config = AssistantConfig(
        provider: isMocked ? standIn : model,
        instructions: "You show what an assistant can do. Answer in one short sentence.", tools: tourTools(),
        startActive: true, onWake: { session in try await session.say("Good to see you.") },
        onSleep: { session in print("\(session.conversationHistory().count) turns are kept.") },
        silenceTimeout: AssistantConfig.defaultSilenceTimeout * 2, sleepPhrases: ["good night"], endOnIntent: true,
        historyCap: AssistantConfig.defaultHistoryCap, historyCompaction: .auto,
        compactionModel: ChatPrompt.defaultModel,
        withinSessionMemory: "smart", persistentMemory: true, memoryUserId: "tour", memoryStore: ForgetfulStore(),
        greeting: .default, includeDeviceInfoTool: true, deviceInfoNote: AssistantConfig.defaultDeviceInfoNote,
        fallbackGreeting: AssistantConfig.defaultFallbackGreeting)
    config.transcribesInput = true
    config.toolTimeout = AssistantConfig.defaultToolTimeout
    config.maxConcurrentTools = AssistantConfig.defaultMaxConcurrentTools
    config.cancelPhrases = AssistantConfig.defaultCancelPhrases + ["stop looking"]
    config.turnTaking = .automatic
    config.interruption = InterruptionConfig(
        minDurationMs: 500, minWords: 0, backchannelWindowMs: 1_000, backchannelOverrideDurationMs: 1_500)
    config.greetingIsInterruptible = false
    config.sendsSilence = true
    config.deviceReturnTimeout = AssistantConfig.defaultDeviceReturnTimeout
    config.reconnect = .standard
    // `start()` throws it; a form that the user fills in can be told earlier.
    if let problem = config.problem { print(problem.description) }
    return config
}

/// The same by the builder's words, as the closure of `assistant.start(provider:_:)` gets it.
func configure(_ assistant: AssistantConfigBuilder, of glasses: any ExtentosGlasses) {
    assistant.instructions = "Answer in one short sentence."
    assistant.tools = tourTools()
    assistant.startActive = true
    assistant.onWake { session in print("Awake: \(session.state.current)") }
    assistant.onSleep { session in print("Asleep: \(session.state.current)") }
    assistant.sleepAfterSilence(30)
    assistant.neverSleep()
    assistant.sleepOnPhrase("good night")
    assistant.endOnIntent = false
    assistant.historyCap = 50
    assistant.historyCompaction = .custom { turns in Array(turns.suffix(20)) }
    assistant.compactionModel = ChatPrompt.defaultModel
    assistant.withinSessionMemory = "basic"
    assistant.persistentMemory = false
    assistant.memoryUserId = nil
    assistant.memoryStore = nil
    assistant.greeting = .custom(directive: "\(Greeting.defaultDirective) Mention the weather.")
    assistant.includeDeviceInfoTool = true
    assistant.deviceInfoNote = ""
    assistant.fallbackGreeting = "Hello."
    assistant.transcribesInput = true
    assistant.turnTaking = .pushToTalk
    assistant.interruption = nil
    assistant.greetingIsInterruptible = true
    assistant.sendsSilence = false
    assistant.toolTimeout = 10
    assistant.deviceReturnTimeout = 5
    assistant.cancelPhrases = ["never mind"]
    assistant.maxConcurrentTools = 2
    assistant.reconnect = ReconnectConfig(firstWait: 0.5, longestWait: 4, giveUpAfter: 120)
    addTools(to: assistant, of: glasses)
    print("Configured for \(assistant.config.provider).")
}

/// How a history can be kept short, and how a lost connection can be treated.
let compactions: [String: HistoryCompaction] = ["auto": .auto, "oldest": .dropOldest, "none": .none]
let greetings: [Greeting] = [.default, .custom(directive: "Say good morning."), .off]
let reconnects: [String: ReconnectConfig] = ["standard": .standard, "never": .never]
/// A model that reasons and its voice, by the names that the original documents.
let reasoning = AssistantProvider.managed(
    model: AssistantProvider.defaultModel, voice: AssistantProvider.defaultVoice, reasoningEffort: .high)
let detections: [TurnDetection] = [.serverVad(), .semanticVad]
let efforts: [ReasoningEffort] = [.minimal, .low, .medium, .high, .xhigh]

/// A memory that lasts as long as the program.
actor ForgetfulStore: MemoryStore {
    private var profiles: [String: String] = [:]

    func load(userId: String?) async -> String? { profiles[userId ?? ""] }

    func save(userId: String?, profileJson: String) async { profiles[userId ?? ""] = profileJson }
}
