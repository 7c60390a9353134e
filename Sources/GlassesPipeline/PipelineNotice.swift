/// Something about a session that its app or operator can be told; never audio or words.
public enum PipelineNotice: Sendable, Hashable {
    /// Speech is judged by energy for a while, because the judge that is installed `failed`, `lagged` or was `overrun`; `losses`
    /// counts them in a row.
    case judgeLost(reason: String, losses: Int)
    /// The first sound of the answer to a spoken turn was sent.
    case turnAnswered(TurnStages)
    /// The brain `by` answers instead of another one, for a reason; nil means that it is back.
    case brainReplaced(by: String, instead: String, reason: BrainError?)
}

/// How long the stages of one spoken turn took, in ms, from its last voiced sample to the first sample of the answer that left
/// the pipeline. What the device does behind it is not in.
public struct TurnStages: Sendable, Hashable {
    /// The silence until the turn counted as over, with what the judge of speech lagged.
    public var endpointMs: Int
    /// From there until the words were known; 0 when they were recognised during the silence.
    public var recognitionMs: Int
    /// The brain, for the turn and for the results of its tools.
    public var brainMs: Int
    /// The tools, as the pipeline sees them: from a call to the request for the answer with its result.
    public var toolMs: Int
    /// From the brain's words to the first sample of their sound.
    public var synthesisMs: Int
    /// All of it, and what lies between the stages.
    public var totalMs: Int
}
