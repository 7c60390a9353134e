import GlassesDomain
import GlassesPipeline
import GlassesPluginHost
@_spi(ExtentosTools) import GlassesRuntime

/// The speech engines that are installed, loaded once on first use, and the embedded provider over them.
actor InstalledSpeech {
    private let installation: SpeechInstallation
    private let clock: ClockPort
    private let log: SpeechLog
    private let brain: any PipelineBrain
    private let destination: AudioDestination
    private var recognizer: Task<(any SpeechToTextEngine)?, Never>?
    private var synthesizer: Task<(any TextToSpeechEngine)?, Never>?
    private var detector: Task<(any VoiceActivityEngine)?, Never>?
    private var provider: Task<RealtimeConnector, Never>?

    /// `brain` decides the answers of the embedded provider, whose audio and text go to `destination`.
    init(
        host: PluginHost, choice: SpeechChoice, clock: ClockPort, log: SpeechLog,
        brain: any PipelineBrain = RulesPipelineBrain(), destination: AudioDestination = .thisMachine
    ) {
        installation = SpeechInstallation(
            host: host, choice: choice, clock: clock, executor: RuntimeThreads.shared, notify: log.notice)
        self.clock = clock
        self.log = log
        self.brain = brain
        self.destination = destination
    }

    /// The best recogniser that works; nil when there is none.
    func speechToText() async -> (any SpeechToTextEngine)? {
        let task =
            recognizer
            ?? Task(executorPreference: RuntimeThreads.shared) { [installation] in await installation.recognizer() }
        recognizer = task
        return await task.value
    }

    /// The best synthesiser that works; nil when there is none.
    func textToSpeech() async -> (any TextToSpeechEngine)? {
        let task =
            synthesizer
            ?? Task(executorPreference: RuntimeThreads.shared) { [installation] in await installation.synthesizer() }
        synthesizer = task
        return await task.value
    }

    /// The best judge of speech that works; nil when there is none.
    private func voiceActivity() async -> (any VoiceActivityEngine)? {
        let task =
            detector
            ?? Task(executorPreference: RuntimeThreads.shared) { [installation] in await installation.voiceActivity() }
        detector = task
        return await task.value
    }

    /// The embedded provider.
    func connector() async -> RealtimeConnector {
        if let provider { return await provider.value }
        let task = Task(executorPreference: RuntimeThreads.shared) { [self, clock, log, brain, destination] in
            async let recognizer = speechToText()
            async let synthesizer = textToSpeech()
            async let detector = voiceActivity()
            let engines = PipelineEngines(
                recognizer: await recognizer, synthesizer: await synthesizer, voiceActivity: await detector,
                brain: brain)
            log.selected(brain: brain.name)
            return PipelineConnector.make(
                engines: engines, clock: clock, executor: RuntimeThreads.shared, destination: destination,
                notify: log.notice)
        }
        provider = task
        return await task.value
    }

    /// Ends the engines that were loaded.
    func shutdown() async {
        if let engine = await recognizer?.value { await engine.shutdown() }
        if let engine = await synthesizer?.value { await engine.shutdown() }
        if let engine = await detector?.value { await engine.shutdown() }
    }
}

extension InstalledSpeech {
    /// The provider as it is known before any engine was loaded.
    nonisolated var lazyConnector: RealtimeConnector {
        var connector = RealtimeConnector(
            providerName: "embedded", defaultModel: PipelineConnector.defaultModel,
            audioDestination: destination.sentence, canCompose: brain.canCompose,
            connect: { [self] request in try await self.connector().connect(request) })
        connector.pictures = brain.seesImages ? .seen : .measured
        return connector
    }

    /// The engines as the runtime takes them.
    nonisolated var engines: SpeechEngines {
        SpeechEngines(
            speechToText: { [self] in await speechToText() }, textToSpeech: { [self] in await textToSpeech() })
    }
}
