/// One round as it was played and recorded, ready to be judged: peaks of milliseconds that lie on one timeline.
struct MeterTake: Sendable, Hashable {
    /// What the loudspeaker played.
    var played: [Float]
    /// What the microphone heard meanwhile, as long as ``played``.
    var recorded: [Float]
    /// The noise in the quiet time before.
    var noise: Float
    /// Where the question was played.
    var question: Range<Int>
    /// Where the interruption was played, if there was one.
    var interruption: Range<Int>?

    /// The threshold of sound in the recording.
    var threshold: Float { SoundRule.threshold(noise: noise) }

    /// The first and last millisecond of sound that was played within `range`; nil when that is silence.
    func voiced(_ range: Range<Int>) -> Range<Int>? {
        let part = played[range.clamped(to: played.indices)]
        let threshold = max(SoundRule.floor, SoundRule.share * (part.max() ?? 0))
        guard let first = part.firstIndex(where: { $0 >= threshold }),
            let last = part.lastIndex(where: { $0 >= threshold })
        else { return nil }
        return first..<last + 1
    }
}

/// Why a round gives no figure. It is counted, never left out in silence. The raw value is the code in JSON.
enum MeterRefusal: String, Error, Sendable, Hashable, CaseIterable {
    /// Sound went on for too long before the question.
    case neverQuiet
    /// The noise is too loud to hear an answer end.
    case noisy
    /// The answer is hardly louder than the noise.
    case tooQuiet
    /// Nothing came after the question in time.
    case noAnswer
    /// Somebody spoke before the question had ended, or before its echo had died away.
    case tooEarly
    /// The loudspeaker stuttered or never played.
    case playbackGap
    /// Audio of the microphone is missing.
    case recordingGap
    /// The answer was over, or paused, when the interruption began.
    case silentThen
    /// The microphone hears the interruption so loudly that the answer's end is hidden.
    case masked
    /// The answer was spoken to its end.
    case notCut

    /// The reason for a person.
    var text: String {
        switch self {
        case .neverQuiet: "never quiet before the question"
        case .noisy: "noise too loud"
        case .tooQuiet: "answer too quiet"
        case .noAnswer: "no answer"
        case .tooEarly: "answer before the question ended"
        case .playbackGap: "playback was not continuous"
        case .recordingGap: "recording was not continuous"
        case .silentThen: "answer was silent when interrupted"
        case .masked: "interruption hides the answer"
        case .notCut: "answer was not cut"
        }
    }
}

/// What a round gave: a time in milliseconds, or the reason why there is none.
typealias MeterOutcome = Result<Int, MeterRefusal>
