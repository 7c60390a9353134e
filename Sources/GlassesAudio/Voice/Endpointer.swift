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
    /// How much voiced sound makes a start, 0…2,000 ms; default nil: what the judge's ``EndpointingTuning`` says. Less is a
    /// click or a cough.
    public let minimumSpeechMs: Int?
    /// After how much silence inside an utterance ``Endpointer/Action/paused`` is reported, 50…60,000 ms; default nil: never.
    public let pauseMs: Int?
    /// How long an utterance may get before it is ended by force, 1,000…600,000 ms; default 30,000.
    public let maximumUtteranceMs: Int

    /// The given values; one outside its range is replaced by the nearest end, a threshold that is no number by 0.5.
    public init(
        threshold: Float = 0.5, prefixPaddingMs: Int = 300, silenceDurationMs: Int = 500, minimumSpeechMs: Int? = nil,
        pauseMs: Int? = nil, maximumUtteranceMs: Int = 30_000
    ) {
        self.threshold = threshold.isNaN ? 0.5 : min(max(threshold, 0), 1)
        self.prefixPaddingMs = min(max(prefixPaddingMs, 0), 10_000)
        self.silenceDurationMs = min(max(silenceDurationMs, 50), 60_000)
        self.minimumSpeechMs = minimumSpeechMs.map { min(max($0, 0), 2_000) }
        self.pauseMs = pauseMs.map { min(max($0, 50), 60_000) }
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
        /// What was said so far is a whole turn: the utterance need not be silent for longer.
        case turnCompleted
        /// No more audio comes.
        case ended
    }

    /// What to report.
    public enum Action: Sendable, Hashable {
        /// Nothing.
        case none
        /// Somebody speaks; the utterance's audio begins at `start`, prefix padding included.
        case speechStarted(start: AudioOffset)
        /// The utterance is silent for ``EndpointerConfig/pauseMs``; it may go on.
        case paused
        /// The utterance goes on after ``paused``.
        case resumed
        /// The utterance is over; its audio ends at `end`, the silence that ended it included. Its last voiced frame ends
        /// at `lastVoiced`.
        case speechStopped(end: AudioOffset, lastVoiced: AudioOffset, reason: StopReason)
    }

    /// Why an utterance ended.
    public enum StopReason: Sendable, Hashable {
        /// It was silent for long enough.
        case silence
        /// What was said is a whole turn.
        case turnCompleted
        /// The utterance became too long.
        case maximumUtterance
        /// The audio ended.
        case inputEnded
    }

    private enum State: Sendable, Hashable {
        case silent
        /// Voiced sound since `onset`, not yet enough of it.
        case rising(onset: Int64, voiced: Int64, lastVoiced: Int64)
        case speaking(start: Int64, lastVoiced: Int64, isPaused: Bool)
    }

    /// What the judge's probabilities mean; may change in mid-stream, with the judge.
    public var tuning: EndpointingTuning
    /// Whether the assistant is being heard, when more is asked of a start.
    public var isOverAnswer = false
    private let config: EndpointerConfig
    private let sampleRate: Int
    private var state = State.silent
    /// Frames judged so far.
    private var position: Int64 = 0
    /// No utterance begins before this frame: it belongs to the one before, or was cleared.
    private var earliestStart: Int64 = 0

    /// An endpointer for audio of `sampleRate` frames per second.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` for a rate outside ``SampleRates/supported``.
    public init(
        config: EndpointerConfig = EndpointerConfig(), tuning: EndpointingTuning = .energy, sampleRate: Int
    ) throws(AudioFormatError) {
        try SampleRates.check(sampleRate)
        self.config = config
        self.tuning = tuning
        self.sampleRate = sampleRate
    }

    /// Takes a fact and answers what to report.
    public mutating func apply(_ input: Input) -> Action {
        switch input {
        case .judged(let probability, let frames): judged(probability, frames: Int64(max(frames, 0)))
        case .cleared: cleared()
        case .turnCompleted: ended(.turnCompleted)
        case .ended: ended(.inputEnded)
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
            if position - lastVoiced > frames(tuning.risingGapMs) { state = .silent }
            return .none
        case .speaking(let start, let lastVoiced, let isPaused):
            guard probability >= release else {
                return speak(start: start, lastVoiced: lastVoiced, wasPaused: isPaused, isVoiced: false)
            }
            return speak(start: start, lastVoiced: voicedEnd(start), wasPaused: isPaused, isVoiced: true)
        }
    }

    private mutating func rise(onset: Int64, voiced: Int64) -> Action {
        guard voiced >= frames(minimumSpeechMs) else {
            state = .rising(onset: onset, voiced: voiced, lastVoiced: position)
            return .none
        }
        let start = max(onset - frames(config.prefixPaddingMs), earliestStart)
        state = .speaking(start: start, lastVoiced: voicedEnd(start), isPaused: false)
        return .speechStarted(start: offset(start))
    }

    private mutating func speak(start: Int64, lastVoiced: Int64, wasPaused: Bool, isVoiced: Bool) -> Action {
        if !isVoiced, position - lastVoiced >= frames(config.silenceDurationMs) {
            return stop(lastVoiced: lastVoiced, reason: .silence)
        }
        if position - start >= frames(config.maximumUtteranceMs) {
            return stop(lastVoiced: lastVoiced, reason: .maximumUtterance)
        }
        let pauses = config.pauseMs.map { position - lastVoiced >= frames($0) } ?? false
        let isPaused = !isVoiced && (wasPaused || pauses)
        state = .speaking(start: start, lastVoiced: lastVoiced, isPaused: isPaused)
        return isPaused == wasPaused ? .none : isPaused ? .paused : .resumed
    }

    private mutating func cleared() -> Action {
        state = .silent
        earliestStart = position
        return .none
    }

    private mutating func ended(_ reason: StopReason) -> Action {
        switch state {
        case .silent, .rising:
            return reason == .inputEnded ? cleared() : .none
        case .speaking(_, let lastVoiced, _):
            return stop(lastVoiced: lastVoiced, reason: reason)
        }
    }

    private mutating func stop(lastVoiced: Int64, reason: StopReason) -> Action {
        state = .silent
        earliestStart = position
        return .speechStopped(end: offset(position), lastVoiced: offset(lastVoiced), reason: reason)
    }

    /// The longest time from the first voiced frame to the report of a start, whichever the judge: every voiced frame but the
    /// last one is followed by the longest pause.
    static func longestOnsetMs(_ config: EndpointerConfig) -> Int {
        EndpointingTuning.all.map { tuning in
            let minimum = max(config.minimumSpeechMs ?? tuning.minimumSpeechMs, tuning.bargeInSpeechMs)
            return (minimum / tuning.frameMs + 1) * (tuning.frameMs + tuning.risingGapMs)
        }.max() ?? 0
    }

    private var minimumSpeechMs: Int {
        let usual = config.minimumSpeechMs ?? tuning.minimumSpeechMs
        return isOverAnswer ? max(usual, tuning.bargeInSpeechMs) : usual
    }

    /// Where the voice ended, when the piece before ``position`` is the last one that is speech to the judge.
    private func voicedEnd(_ start: Int64) -> Int64 { max(start, position - frames(tuning.lingerMs)) }

    private var release: Float {
        max(config.threshold - tuning.releaseMargin, config.threshold * tuning.releaseShare)
    }

    private func frames(_ milliseconds: Int) -> Int64 { Int64(milliseconds) * Int64(sampleRate) / 1_000 }

    private func offset(_ frame: Int64) -> AudioOffset { AudioOffset(frame: frame, sampleRate: sampleRate) }
}
