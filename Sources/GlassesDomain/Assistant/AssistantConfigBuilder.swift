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

    /// Adds a tool without arguments.
    public func tool(
        _ name: String, description: String, blocking: Bool = false, timeout: Double? = nil,
        body: @escaping @Sendable () async throws -> ToolResult
    ) {
        config.tools.append(
            ToolDefinition(name: name, description: description, blocking: blocking, timeout: timeout) { _ in
                try await body()
            })
    }

    /// Adds a tool whose arguments are decoded as `Args`; arguments that do not decode answer with an error that names the field,
    /// so that the model can try again. `JSONValue` as `Args` gives the arguments as they are.
    public func tool<Args: Codable & Sendable>(
        _ name: String, description: String, schema: JSONValue, blocking: Bool = false, timeout: Double? = nil,
        body: @escaping @Sendable (Args) async throws -> ToolResult
    ) {
        config.tools.append(
            ToolDefinition(name: name, description: description, schema: schema, blocking: blocking, timeout: timeout) {
                arguments in
                let decoded: Args
                do {
                    decoded = try arguments.decode(as: Args.self)
                } catch {
                    return .err("The arguments of \(name) are wrong: \(ArgumentFault(error).sentence)")
                }
                return try await body(decoded)
            })
    }
}

/// What is wrong with arguments, said so that a model can act on it.
struct ArgumentFault {
    let sentence: String

    init(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, _): sentence = "\(key.stringValue) is missing."
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            sentence = "\(Self.path(context)) must be \(type)."
        case DecodingError.dataCorrupted(let context): sentence = "\(Self.path(context)) cannot be read."
        default: sentence = "they cannot be read."
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? "the value" : path
    }
}
