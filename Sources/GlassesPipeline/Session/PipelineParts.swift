import GlassesDomain

/// What the sessions of one pipeline share.
struct PipelineParts: Sendable {
    let engines: PipelineEngines
    /// The recogniser's queue; nil without a recogniser.
    let recognition: RecognitionQueue?
    let clock: ClockPort
    /// Where the sessions' tasks run; nil means Swift's shared pool.
    let executor: (any TaskExecutor)?
    /// Gets what can be told of the sessions, on any thread.
    let notify: @Sendable (PipelineNotice) -> Void

    init(
        engines: PipelineEngines, clock: ClockPort, executor: (any TaskExecutor)? = nil,
        notify: @escaping @Sendable (PipelineNotice) -> Void = { _ in }
    ) {
        self.notify = notify
        self.engines = engines
        self.clock = clock
        self.executor = executor
        recognition = engines.recognizer.map(RecognitionQueue.init(engine:))
    }

    func profile(model: String) -> PipelineProfile {
        PipelineProfile(
            model: model, canRecognize: engines.recognizer != nil, canSynthesize: engines.synthesizer != nil,
            acceptsImages: engines.brain.acceptsImages, hasJudge: engines.voiceActivity != nil,
            voice: engines.synthesizer?.voices.first)
    }
}
