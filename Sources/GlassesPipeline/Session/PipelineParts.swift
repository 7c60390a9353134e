import GlassesDomain

/// What the sessions of one pipeline share.
struct PipelineParts: Sendable {
    let engines: PipelineEngines
    /// The recogniser's queue; nil without a recogniser.
    let recognition: RecognitionQueue?
    let clock: ClockPort

    init(engines: PipelineEngines, clock: ClockPort) {
        self.engines = engines
        self.clock = clock
        recognition = engines.recognizer.map(RecognitionQueue.init(engine:))
    }

    func profile(model: String) -> PipelineProfile {
        PipelineProfile(
            model: model, canRecognize: engines.recognizer != nil, canSynthesize: engines.synthesizer != nil,
            acceptsImages: engines.brain.acceptsImages, voice: engines.synthesizer?.voices.first)
    }
}
