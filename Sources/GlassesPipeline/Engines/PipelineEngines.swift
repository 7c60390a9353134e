import GlassesDomain

/// What stands behind the sessions of a pipeline; shared by all of them.
public struct PipelineEngines: Sendable {
    /// The recogniser; without one a spoken turn fails with `engine_unavailable`, text turns work.
    public var recognizer: (any SpeechToTextEngine)?
    /// The synthesiser; without one answers come as text.
    public var synthesizer: (any TextToSpeechEngine)?
    /// The judge of what is speech; without one, and whenever it fails, the energy of the sound decides.
    public var voiceActivity: (any VoiceActivityEngine)?
    /// What decides the answers.
    public var brain: any PipelineBrain

    /// Engines of a pipeline, which does not shut them down.
    public init(
        recognizer: (any SpeechToTextEngine)?, synthesizer: (any TextToSpeechEngine)?,
        voiceActivity: (any VoiceActivityEngine)? = nil, brain: any PipelineBrain
    ) {
        self.voiceActivity = voiceActivity
        self.recognizer = recognizer
        self.synthesizer = synthesizer
        self.brain = brain
    }
}
