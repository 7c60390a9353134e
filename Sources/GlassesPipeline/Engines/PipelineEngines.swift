import GlassesDomain

/// What stands behind the sessions of a pipeline; shared by all of them.
public struct PipelineEngines: Sendable {
    /// The recogniser; without one a spoken turn fails with `engine_unavailable`, text turns work.
    public var recognizer: (any SpeechToTextEngine)?
    /// The synthesiser; without one answers come as text.
    public var synthesizer: (any TextToSpeechEngine)?
    /// What decides the answers.
    public var brain: any PipelineBrain

    /// Engines of a pipeline, which does not shut them down.
    public init(
        recognizer: (any SpeechToTextEngine)?, synthesizer: (any TextToSpeechEngine)?, brain: any PipelineBrain
    ) {
        self.recognizer = recognizer
        self.synthesizer = synthesizer
        self.brain = brain
    }
}
