/// The short form of ``AssistantConfig``, handed to the closure of `start(provider:_:)`. Not thread-safe: it lives only there.
public final class AssistantConfigBuilder {
    /// The configuration built so far.
    public private(set) var config: AssistantConfig

    /// A builder of the defaults for `provider`.
    public init(provider: AssistantProvider) { config = AssistantConfig(provider: provider) }

    /// See ``AssistantConfig/instructions``.
    public var instructions: String {
        get { config.instructions }
        set { config.instructions = newValue }
    }
    /// See ``AssistantConfig/tools``.
    public var tools: [ToolDefinition] {
        get { config.tools }
        set { config.tools = newValue }
    }
    /// See ``AssistantConfig/startActive``.
    public var startActive: Bool {
        get { config.startActive }
        set { config.startActive = newValue }
    }
    /// See ``AssistantConfig/transcribesInput``.
    public var transcribesInput: Bool {
        get { config.transcribesInput }
        set { config.transcribesInput = newValue }
    }
    /// See ``AssistantConfig/historyCap``.
    public var historyCap: Int {
        get { config.historyCap }
        set { config.historyCap = newValue }
    }
    /// See ``AssistantConfig/endOnIntent``.
    public var endOnIntent: Bool {
        get { config.endOnIntent }
        set { config.endOnIntent = newValue }
    }
    /// See ``AssistantConfig/includeDeviceInfoTool``.
    public var includeDeviceInfoTool: Bool {
        get { config.includeDeviceInfoTool }
        set { config.includeDeviceInfoTool = newValue }
    }
    /// See ``AssistantConfig/deviceInfoNote``.
    public var deviceInfoNote: String? {
        get { config.deviceInfoNote }
        set { config.deviceInfoNote = newValue }
    }
    /// See ``AssistantConfig/historyCompaction``.
    public var historyCompaction: HistoryCompaction {
        get { config.historyCompaction }
        set { config.historyCompaction = newValue }
    }
    /// See ``AssistantConfig/withinSessionMemory``.
    public var withinSessionMemory: String? {
        get { config.withinSessionMemory }
        set { config.withinSessionMemory = newValue }
    }
    /// See ``AssistantConfig/compactionModel``.
    public var compactionModel: String? {
        get { config.compactionModel }
        set { config.compactionModel = newValue }
    }
    /// See ``AssistantConfig/persistentMemory``.
    public var persistentMemory: Bool {
        get { config.persistentMemory }
        set { config.persistentMemory = newValue }
    }
    /// See ``AssistantConfig/memoryUserId``.
    public var memoryUserId: String? {
        get { config.memoryUserId }
        set { config.memoryUserId = newValue }
    }
    /// See ``AssistantConfig/memoryStore``.
    public var memoryStore: (any MemoryStore)? {
        get { config.memoryStore }
        set { config.memoryStore = newValue }
    }
    /// See ``AssistantConfig/greeting``.
    public var greeting: Greeting {
        get { config.greeting }
        set { config.greeting = newValue }
    }
    /// See ``AssistantConfig/fallbackGreeting``.
    public var fallbackGreeting: String? {
        get { config.fallbackGreeting }
        set { config.fallbackGreeting = newValue }
    }
    /// See ``AssistantConfig/turnTaking``.
    public var turnTaking: TurnTaking {
        get { config.turnTaking }
        set { config.turnTaking = newValue }
    }
    /// See ``AssistantConfig/interruption``.
    public var interruption: InterruptionConfig? {
        get { config.interruption }
        set { config.interruption = newValue }
    }
    /// See ``AssistantConfig/greetingIsInterruptible``.
    public var greetingIsInterruptible: Bool {
        get { config.greetingIsInterruptible }
        set { config.greetingIsInterruptible = newValue }
    }
    /// See ``AssistantConfig/sendsSilence``.
    public var sendsSilence: Bool {
        get { config.sendsSilence }
        set { config.sendsSilence = newValue }
    }
    /// See ``AssistantConfig/toolTimeout``.
    public var toolTimeout: Double {
        get { config.toolTimeout }
        set { config.toolTimeout = newValue }
    }
    /// See ``AssistantConfig/deviceReturnTimeout``.
    public var deviceReturnTimeout: Double {
        get { config.deviceReturnTimeout }
        set { config.deviceReturnTimeout = newValue }
    }
    /// See ``AssistantConfig/reconnect``.
    public var reconnect: ReconnectConfig {
        get { config.reconnect }
        set { config.reconnect = newValue }
    }

    /// Runs `hook` after each wake.
    public func onWake(_ hook: @escaping AssistantConfig.Hook) { config.onWake = hook }

    /// Runs `hook` after each sleep.
    public func onSleep(_ hook: @escaping AssistantConfig.Hook) { config.onSleep = hook }

    /// Sleeps after `seconds` without speech, playback or a running tool.
    public func sleepAfterSilence(_ seconds: Double) { config.silenceTimeout = seconds }

    /// Stays awake however long nobody speaks.
    public func neverSleep() { config.silenceTimeout = nil }

    /// Sleeps when the user says `phrase`; may be called for several phrases.
    public func sleepOnPhrase(_ phrase: String) { config.sleepPhrases.append(phrase) }

    /// See ``AssistantConfig/cancelPhrases``.
    public var cancelPhrases: [String] {
        get { config.cancelPhrases }
        set { config.cancelPhrases = newValue }
    }
    /// See ``AssistantConfig/maxConcurrentTools``.
    public var maxConcurrentTools: Int {
        get { config.maxConcurrentTools }
        set { config.maxConcurrentTools = newValue }
    }

    /// Adds a tool without arguments.
    public func tool(
        _ name: String, description: String, blocking: Bool = false, timeout: Double? = nil,
        policy: ToolPolicy = .standard, body: @escaping @Sendable () async throws -> ToolResult
    ) {
        config.tools.append(
            ToolDefinition(name: name, description: description, blocking: blocking, timeout: timeout, policy: policy) {
                (_: JSONValue) in try await body()
            })
    }

    /// Adds a tool with a JSON schema of its own; see ``ToolDefinition``.
    public func tool<Args: Codable & Sendable>(
        _ name: String, description: String, schema: JSONValue, blocking: Bool = false, timeout: Double? = nil,
        policy: ToolPolicy = .standard, body: @escaping @Sendable (Args) async throws -> ToolResult
    ) {
        config.tools.append(
            ToolDefinition(
                name: name, description: description, schema: schema, blocking: blocking, timeout: timeout,
                policy: policy, body: body))
    }

    /// Adds a tool whose schema is written by `parameters`; see
    /// ``ToolDefinition/init(name:description:parameters:blocking:timeout:policy:body:)``.
    public func tool<Args: Codable & Sendable>(
        _ name: String, description: String, parameters: ToolParameters, blocking: Bool = false,
        timeout: Double? = nil, policy: ToolPolicy = .standard,
        body: @escaping @Sendable (Args) async throws -> ToolResult
    ) {
        config.tools.append(
            ToolDefinition(
                name: name, description: description, parameters: parameters, blocking: blocking, timeout: timeout,
                policy: policy, body: body))
    }
}
