import GlassesDomain
import GlassesPipeline
import GlassesPluginHost
@_spi(ExtentosTools) import GlassesRuntime

/// The speech engines that are installed, loaded once on first use, and the embedded provider over them.
actor InstalledSpeech {
    private let host: PluginHost
    private let clock: ClockPort
    private let log: @Sendable (LogLevel, String, JSONValue) -> Void
    private var recognizer: Task<(any SpeechToTextEngine)?, Never>?
    private var synthesizer: Task<(any TextToSpeechEngine)?, Never>?
    private var provider: Task<RealtimeConnector, Never>?

    init(host: PluginHost, clock: ClockPort, log: @escaping @Sendable (LogLevel, String, JSONValue) -> Void) {
        self.host = host
        self.clock = clock
        self.log = log
    }

    /// The first recogniser that works; nil when there is none.
    func speechToText() async -> (any SpeechToTextEngine)? {
        let task =
            recognizer
            ?? Task(executorPreference: RuntimeThreads.shared) { [host, log] in
                for plugin in await host.plugins(kind: .stt) {
                    switch await host.speechToText(id: plugin.manifest.id) {
                    case .success(let engine): return engine
                    case .failure(let error): log(.warn, "speech.unavailable", Self.payload(plugin.manifest.id, error))
                    }
                }
                return nil
            }
        recognizer = task
        return await task.value
    }

    /// The first synthesiser that works; nil when there is none.
    func textToSpeech() async -> (any TextToSpeechEngine)? {
        let task =
            synthesizer
            ?? Task(executorPreference: RuntimeThreads.shared) { [host, log] in
                for plugin in await host.plugins(kind: .tts) {
                    switch await host.textToSpeech(id: plugin.manifest.id) {
                    case .success(let engine): return engine
                    case .failure(let error): log(.warn, "speech.unavailable", Self.payload(plugin.manifest.id, error))
                    }
                }
                return nil
            }
        synthesizer = task
        return await task.value
    }

    /// The embedded provider.
    func connector() async -> RealtimeConnector {
        if let provider { return await provider.value }
        let task = Task(executorPreference: RuntimeThreads.shared) { [self, clock] in
            let engines = PipelineEngines(
                recognizer: await speechToText(), synthesizer: await textToSpeech(), brain: RulesPipelineBrain())
            return PipelineConnector.make(engines: engines, clock: clock, executor: RuntimeThreads.shared)
        }
        provider = task
        return await task.value
    }

    /// Ends the engines that were loaded.
    func shutdown() async {
        if let engine = await recognizer?.value { await engine.shutdown() }
        if let engine = await synthesizer?.value { await engine.shutdown() }
    }

    private static func payload(_ id: String, _ error: SpeechEngineError) -> JSONValue {
        ["plugin": .string(id), "code": .string(error.code), "message": .string(error.message)]
    }
}

extension InstalledSpeech {
    /// The provider as it is known before any engine was loaded.
    nonisolated var lazyConnector: RealtimeConnector {
        RealtimeConnector(
            providerName: "embedded", defaultModel: PipelineConnector.defaultModel,
            audioDestination: AudioDestination.thisMachine.sentence, canCompose: false,
            connect: { [self] request in try await connector().connect(request) })
    }

    /// The engines as the runtime takes them.
    nonisolated var engines: SpeechEngines {
        SpeechEngines(
            speechToText: { [self] in await speechToText() }, textToSpeech: { [self] in await textToSpeech() })
    }
}
