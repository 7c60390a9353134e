import GlassesDomain

/// The bounds of one session.
enum PipelineLimits {
    /// The protocol's PCM rate in both directions.
    static let sampleRate = 24_000
    /// 200 ms: small enough for every client's receive limit, large enough that the JSON around it costs little.
    static let deltaSamples = sampleRate / 5
    /// The protocol's least commit: 100 ms.
    static let minimumCommitSamples = sampleRate / 10
    /// The longest utterance: recognisers lose the beginning of longer ones, and 30 s is the longest anyone dictates at once.
    static let utteranceSamples = 30 * sampleRate
    /// What one append may carry by the protocol: 15 MiB.
    static let appendBytes = 15 << 20
    /// More turns than a day of talk has; the oldest item leaves first.
    static let conversationItems = 1_000
    /// The text of all items together; beyond it the oldest item leaves first.
    static let conversationTextBytes = 4 << 20
    /// The text of one item: sixteen times what the runtime lets a tool answer.
    static let itemTextBytes = 1 << 20
    /// The configuration of a session as JSON, which every update is answered with: far below what clients receive.
    static let sessionBytes = 1 << 20
    /// Audio kept for `conversation.item.retrieve`: 16 MiB, which is 5.8 minutes; the oldest is forgotten first.
    static let retainedSamples = 8 << 20
    /// Pictures kept for `conversation.item.retrieve` and for the brain, as data URLs: two of the largest; the oldest is forgotten
    /// first.
    static let retainedPictureBytes = 16 << 20
    /// The most audio in one retrieved item: 120 s are 7.7 MiB of JSON, just under the smallest client's limit of 8 MiB.
    static let retrievedSamples = 120 * sampleRate
    /// Responses outside the conversation that may run at once.
    static let outOfBandResponses = 8
    /// Utterances that may wait for their words at once; a ninth fails at once instead of waiting for minutes.
    static let openRecognitions = 8
    /// From this much silence on, what was said so far is recognised while the end of the turn is still waited for: shorter
    /// silences are inside most words.
    static let pauseMs = 200
    /// The longest utterance that is recognised at a pause: a longer one has more pauses, and each costs its whole length.
    static let speculationSamples = 10 * sampleRate
    /// Recognitions at pauses for one utterance; somebody who hesitates more often is not in a hurry.
    static let speculationsPerUtterance = 6
    /// How long energy judges after a better judge was lost; doubled with each loss in a row.
    static let judgeRest = Duration.seconds(5)
    /// The longest such time.
    static let longestJudgeRest = Duration.seconds(80)
    /// The longest text that one answer speaks, in characters: about an hour of speech.
    static let answerCharacters = 50_000
    /// The most tool calls of one answer.
    static let callsPerAnswer = 32
    /// How long an engine or a brain may show no progress.
    static let engineTimeout = Duration.seconds(30)
    /// Waiting client messages, in bytes: one largest append and the events around it.
    static let inboundBytes = 32 << 20
    /// Waiting client messages: 100 s of the smallest usual audio pieces.
    static let inboundMessages = 5_000
    /// Waiting client messages in bytes, above which a client that can be held back should be: 16 s of audio.
    static let inboundHighWater = 1 << 20
    /// Waiting client messages, above which a client that can be held back should be: a tenth of what ends the session.
    static let inboundHighWaterMessages = 500
    /// Waiting server messages in bytes, above which synthesis pauses: about a minute of speech.
    static let outboundHighWater = 4 << 20
    /// Waiting server messages in bytes, above which the client counts as gone.
    static let outboundBytes = 64 << 20
}
