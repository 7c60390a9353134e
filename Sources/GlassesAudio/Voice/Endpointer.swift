/// A place in an audio stream, counted from its first frame.
public struct AudioOffset: Sendable, Hashable, Comparable {
    /// Frames since the stream's start.
    public let frame: Int64
    /// Whole milliseconds since the stream's start, rounded down.
    public let milliseconds: Int64

    /// The place before `frame` of a stream with `sampleRate` frames per second.
    init(frame: Int64, sampleRate: Int) {
        self.frame = frame
        milliseconds = frame / Int64(sampleRate) * 1_000 + frame % Int64(sampleRate) * 1_000 / Int64(sampleRate)
    }

    /// Whether `lhs` is earlier in the stream.
    public static func < (lhs: AudioOffset, rhs: AudioOffset) -> Bool { lhs.frame < rhs.frame }
}

/// When speech counts as begun and ended; the parameters of `server_vad`, within the documented ranges.
public struct EndpointerConfig: Sendable, Hashable {
    /// The probability from which a frame is speech, 0…1; default 0.5.
    public let threshold: Float
    /// How much audio before the first voiced frame belongs to the utterance, 0…10,000 ms; default 300.
    public let prefixPaddingMs: Int
    /// How long it must be silent for the utterance to end, 50…60,000 ms; default 500.
    public let silenceDurationMs: Int
    /// How much voiced sound makes a start, 0…2,000 ms; default 100. Less is a click or a cough.
    public let minimumSpeechMs: Int
    /// How long an utterance may get before it is ended by force, 1,000…600,000 ms; default 30,000.
    public let maximumUtteranceMs: Int

    /// The given values; one outside its range is replaced by the nearest end, a threshold that is no number by 0.5.
    public init(
        threshold: Float = 0.5, prefixPaddingMs: Int = 300, silenceDurationMs: Int = 500, minimumSpeechMs: Int = 100,
        maximumUtteranceMs: Int = 30_000
    ) {
        self.threshold = threshold.isNaN ? 0.5 : min(max(threshold, 0), 1)
        self.prefixPaddingMs = min(max(prefixPaddingMs, 0), 10_000)
        self.silenceDurationMs = min(max(silenceDurationMs, 50), 60_000)
        self.minimumSpeechMs = min(max(minimumSpeechMs, 0), 2_000)
        self.maximumUtteranceMs = min(max(maximumUtteranceMs, 1_000), 600_000)
    }
}

/// Turns the decisions of a voice activity detector into utterances.
///
/// It counts time in frames of audio, so it needs no clock: offsets cover all audio ever judged, also across ``Input/cleared``.
public struct Endpointer: Sendable, Hashable {
    /// What happened.
    public enum Input: Sendable, Hashable {
        /// The next `frames` frames of audio were judged.
        case judged(probability: Float, frames: Int)
        /// The audio buffer was cleared: what was being said is forgotten.
        case cleared
        /// No more audio comes.
        case ended
    }

    /// What to report.
    public enum Action: Sendable, Hashable {
        /// Nothing.
        case none
        /// Somebody speaks; the utterance's audio begins at `start`, prefix padding included.
        case speechStarted(start: AudioOffset)
        /// The utterance is over; its audio ends at `end`, the silence that ended it included. Its last voiced frame ends
        /// at `lastVoiced`.
        case speechStopped(end: AudioOffset, lastVoiced: AudioOffset, reason: StopReason)
    }

    /// Why an utterance ended.
    public enum StopReason: Sendable, Hashable {
        /// It was silent for long enough.
        case silence
        /// The utterance became too long.
        case maximumUtterance
        /// The audio ended.
        case inputEnded
    }

    private enum State: Sendable, Hashable {
        case silent
        /// Voiced sound since `onset`, not yet enough of it.
        case rising(onset: Int64, voiced: Int64, lastVoiced: Int64)
        case speaking(start: Int64, lastVoiced: Int64)
    }

    /// The longest pause inside the voiced sound that makes a start, such as the closure of a stop consonant.
    private static let risingGapMs = 100
    /// After the first voiced frame, sound counts as speech down to this much below the threshold, so that short words are
    /// noticed in noise and all words keep their ends.
    private static let releaseMargin: Float = 0.3
    /// …but at least down to this share of the threshold, so that a low threshold keeps a release above zero.
    private static let releaseShare: Float = 0.4

    private let config: EndpointerConfig
    private let sampleRate: Int
    private var state = State.silent
    /// Frames judged so far.
    private var position: Int64 = 0
    /// No utterance begins before this frame: it belongs to the one before, or was cleared.
    private var earliestStart: Int64 = 0

    /// An endpointer for audio of `sampleRate` frames per second.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` for a rate outside ``SampleRates/supported``.
    public init(config: EndpointerConfig = EndpointerConfig(), sampleRate: Int) throws(AudioFormatError) {
        try SampleRates.check(sampleRate)
        self.config = config
        self.sampleRate = sampleRate
    }

    /// Takes a fact and answers what to report.
    public mutating func apply(_ input: Input) -> Action {
        switch input {
        case .judged(let probability, let frames): judged(probability, frames: Int64(max(frames, 0)))
        case .cleared: cleared()
        case .ended: ended()
        }
    }

    private mutating func judged(_ probability: Float, frames count: Int64) -> Action {
        let begin = position
        position += count
        switch state {
        case .silent:
            guard probability >= config.threshold else { return .none }
            return rise(onset: begin, voiced: count)
        case .rising(let onset, let voiced, let lastVoiced):
            if probability >= release { return rise(onset: onset, voiced: voiced + count) }
            if position - lastVoiced > frames(Self.risingGapMs) { state = .silent }
            return .none
        case .speaking(let start, let lastVoiced):
            return speak(start: start, lastVoiced: probability >= release ? position : lastVoiced)
        }
    }

    private mutating func rise(onset: Int64, voiced: Int64) -> Action {
        guard voiced >= frames(config.minimumSpeechMs) else {
            state = .rising(onset: onset, voiced: voiced, lastVoiced: position)
            return .none
        }
        let start = max(onset - frames(config.prefixPaddingMs), earliestStart)
        state = .speaking(start: start, lastVoiced: position)
        return .speechStarted(start: offset(start))
    }

    private mutating func speak(start: Int64, lastVoiced: Int64) -> Action {
        if position - lastVoiced >= frames(config.silenceDurationMs) {
            return stop(lastVoiced: lastVoiced, reason: .silence)
        }
        if position - start >= frames(config.maximumUtteranceMs) {
            return stop(lastVoiced: lastVoiced, reason: .maximumUtterance)
        }
        state = .speaking(start: start, lastVoiced: lastVoiced)
        return .none
    }

    private mutating func cleared() -> Action {
        state = .silent
        earliestStart = position
        return .none
    }

    private mutating func ended() -> Action {
        switch state {
        case .silent, .rising:
            return cleared()
        case .speaking(_, let lastVoiced):
            return stop(lastVoiced: lastVoiced, reason: .inputEnded)
        }
    }

    private mutating func stop(lastVoiced: Int64, reason: StopReason) -> Action {
        state = .silent
        earliestStart = position
        return .speechStopped(end: offset(position), lastVoiced: offset(lastVoiced), reason: reason)
    }

    /// The longest time from the first voiced frame to the report of a start: every voiced frame but the last one is
    /// followed by the longest pause.
    static func longestOnsetMs(_ config: EndpointerConfig, frameMs: Int) -> Int {
        (config.minimumSpeechMs / frameMs + 1) * (frameMs + risingGapMs)
    }

    private var release: Float {
        max(config.threshold - Self.releaseMargin, config.threshold * Self.releaseShare)
    }

    private func frames(_ milliseconds: Int) -> Int64 { Int64(milliseconds) * Int64(sampleRate) / 1_000 }

    private func offset(_ frame: Int64) -> AudioOffset { AudioOffset(frame: frame, sampleRate: sampleRate) }
}
