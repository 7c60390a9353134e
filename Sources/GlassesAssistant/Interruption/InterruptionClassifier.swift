import GlassesDomain

/// What is known of speech over an answer.
public struct InterruptionObservation: Sendable, Hashable {
    /// How long the speech is so far, in milliseconds.
    public var durationMs: Int
    /// How many words it has; nil while that is not known.
    public var wordCount: Int?
    /// Whether it is the assistant's own voice.
    public var isEcho: Bool
    /// How long the assistant's turn had been audible when the speech began, in milliseconds; nil when it was not.
    public var agentSpeakingElapsedMs: Int?

    /// An observation.
    public init(
        durationMs: Int, wordCount: Int? = nil, isEcho: Bool = false, agentSpeakingElapsedMs: Int? = nil
    ) {
        self.durationMs = durationMs
        self.wordCount = wordCount
        self.isEcho = isEcho
        self.agentSpeakingElapsedMs = agentSpeakingElapsedMs
    }
}

/// What speech over an answer is taken for.
public enum InterruptionVerdict: Sendable, Hashable {
    /// The user takes the turn.
    case interrupt
    /// A cough, a "mm-hm", an echo: the answer goes on.
    case ignore
}

/// Tells an interruption from other sounds over an answer.
public struct InterruptionClassifier: Sendable, Hashable {
    private let config: InterruptionConfig

    /// A classifier with these thresholds.
    public init(_ config: InterruptionConfig = InterruptionConfig()) { self.config = config }

    /// The verdict on what is known so far; the same speech may still become an interruption when it goes on.
    public func verdict(on observation: InterruptionObservation) -> InterruptionVerdict {
        guard !observation.isEcho, observation.durationMs >= config.minDurationMs else { return .ignore }
        if let words = observation.wordCount, words < config.minWords { return .ignore }
        if let elapsed = observation.agentSpeakingElapsedMs, elapsed < config.backchannelWindowMs {
            return observation.durationMs >= config.backchannelOverrideDurationMs ? .interrupt : .ignore
        }
        return .interrupt
    }

    /// The verdict on speech whose words are known, however short it was: whoever says "stop" means it. `spoken` are the words of
    /// the answer, of which an echo is made.
    public func verdict(onWords words: String, spoken: String) -> InterruptionVerdict {
        let words = SpokenWords(words)
        guard !words.isBackchannel, words.list.count >= config.minWords, !words.isPart(of: SpokenWords(spoken)) else {
            return .ignore
        }
        return .interrupt
    }
}
