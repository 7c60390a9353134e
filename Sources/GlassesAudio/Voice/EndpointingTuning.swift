/// What the probabilities of a judge of speech mean for the begin and the end of an utterance: every threshold of
/// endpointing and barge-in that is not the client's, for each judge in one place. `docs/endpointing.md` tells how they were found.
public struct EndpointingTuning: Sendable, Hashable {
    /// The length of the pieces that the judge judges, ms.
    public var frameMs: Int
    /// After the first voiced piece, sound counts as speech down to this much below the threshold, so that short words are
    /// noticed in noise and all words keep their ends.
    public var releaseMargin: Float
    /// …but at least down to this share of the threshold, so that a low threshold keeps a release above zero.
    public var releaseShare: Float
    /// The longest pause inside the voiced sound that makes a start, such as the closure of a stop consonant, ms.
    public var risingGapMs: Int
    /// How much voiced sound makes a start, ms. Less is a click or a cough.
    public var minimumSpeechMs: Int
    /// How much voiced sound makes a start while the assistant is being heard, ms: what cuts it must be meant.
    public var bargeInSpeechMs: Int
    /// How long the judge usually still says speech after the last voiced sample, ms: so much silence has passed already when its
    /// word ends.
    public var lingerMs: Int

    /// For ``EnergyVAD``: it cannot tell a door from a voice, so it needs more sound to cut an answer.
    public static let energy = EndpointingTuning(
        frameMs: 20, releaseMargin: 0.3, releaseShare: 0.4, risingGapMs: 100, minimumSpeechMs: 100,
        bargeInSpeechMs: 240, lingerMs: 0)

    /// For a neural judge such as Silero: its probabilities fall steeply behind a word, and a click rarely fools it for longer
    /// than two of its pieces. They fall late, and its library waits for a second silent piece.
    public static let neural = EndpointingTuning(
        frameMs: 32, releaseMargin: 0.15, releaseShare: 0.4, risingGapMs: 100, minimumSpeechMs: 96,
        bargeInSpeechMs: 160, lingerMs: 104)

    static let all = [energy, neural]
}
