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

/// Why a round gives no figure. It is counted, never left out in silence.
enum MeterRefusal: String, Sendable, Hashable, CaseIterable {
    /// Sound went on for too long before the question.
    case neverQuiet = "never quiet"
    /// The noise is too loud to hear an answer end.
    case noisy = "noise too loud"
    /// The answer is hardly louder than the noise.
    case tooQuiet = "answer too quiet"
    /// Nothing came after the question in time.
    case noAnswer = "no answer"
    /// Somebody spoke before the question had ended, or before its echo had died away.
    case tooEarly = "answer before the question ended"
    /// The loudspeaker stuttered or never played.
    case playbackGap = "playback was not continuous"
    /// Audio of the microphone is missing.
    case recordingGap = "recording was not continuous"
    /// The answer was over, or paused, when the interruption began.
    case silentThen = "answer was silent when interrupted"
    /// The microphone hears the interruption so loudly that the answer's end is hidden.
    case masked = "interruption hides the answer"
    /// The answer was spoken to its end.
    case notCut = "answer was not cut"
}

/// What a round gave: a time in milliseconds, or the reason why there is none.
typealias MeterOutcome = Result<Int, MeterRefusal>

extension MeterRefusal: Error {}
