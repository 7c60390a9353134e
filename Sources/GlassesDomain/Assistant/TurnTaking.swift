/// How the session finds out that the user's turn begins and ends.
public enum TurnTaking: Sendable, Hashable, Codable {
    /// From what it hears, by the provider's ``TurnDetection``.
    case automatic
    /// By the app: ``AssistantSession/beginTurn()`` and ``AssistantSession/endTurn()``. Outside of a turn nothing that the microphone
    /// hears leaves the process or is kept.
    case pushToTalk
}

/// When speech over an answer interrupts it. The answer stands still from the first sound on; what interrupts ends it, and after
/// anything else it goes on where it stopped.
///
/// Shorter speech interrupts too when it turns out to be words that are no "mm-hm": that takes `transcribesInput`.
public struct InterruptionConfig: Sendable, Hashable, Codable {
    /// The shortest speech that interrupts, in milliseconds.
    public var minDurationMs: Int
    /// The fewest words that interrupt, where the words are known; 0: their number makes no difference.
    public var minWords: Int
    /// How long after an answer became audible only speech of ``backchannelOverrideDurationMs`` interrupts, in milliseconds.
    public var backchannelWindowMs: Int
    /// See ``backchannelWindowMs``.
    public var backchannelOverrideDurationMs: Int

    /// The thresholds; negative ones count as 0.
    public init(
        minDurationMs: Int = 500, minWords: Int = 0, backchannelWindowMs: Int = 1_000,
        backchannelOverrideDurationMs: Int = 1_500
    ) {
        self.minDurationMs = minDurationMs
        self.minWords = minWords
        self.backchannelWindowMs = backchannelWindowMs
        self.backchannelOverrideDurationMs = backchannelOverrideDurationMs
    }
}
