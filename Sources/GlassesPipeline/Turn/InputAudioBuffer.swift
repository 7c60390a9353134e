import GlassesAudio
import GlassesDomain
import GlassesRealtime

/// The user's audio before it is an item: cut into utterances by turn detection, or collected for a commit.
struct InputAudioBuffer: Equatable, Sendable {
    /// What new audio meant.
    enum Fact: Equatable, Sendable {
        /// Somebody speaks, from `startMs` on, with the audio so far.
        case speechStarted(startMs: Int, audio: [Int16])
        /// The speech goes on.
        case speechContinued([Int16])
        /// The speech is silent for ``PipelineLimits/pauseMs`` and may go on.
        case speechPaused
        /// The speech goes on after a pause.
        case speechResumed
        /// The speech is over; its last voiced sample is `silenceMs` old.
        case speechStopped(endMs: Int, silenceMs: Int)
        /// Speech is judged by energy from here on.
        case judgeLost(JudgeLoss)
        /// There was no room for the audio; it was dropped. Reported once until the next commit or clear.
        case overflowed
    }

    private enum Mode: Equatable, Sendable {
        /// The client decides; the samples wait for its commit.
        case collecting([Int16], hasOverflowed: Bool)
        case detecting(UtteranceDetector)
    }

    private var mode: Mode
    /// The first byte of a sample whose second byte has not come.
    private var oddByte: UInt8?
    /// Samples ever written in the session.
    private(set) var writtenSamples = 0
    /// Samples written before the detector began to count.
    private var detectorBase = 0
    private let settings: Settings

    /// What of the session's turn detection concerns the buffer.
    struct Settings: Equatable, Sendable {
        /// Nil when the client decides.
        let endpointing: EndpointerConfig?
        /// Whether a turn ends as soon as what was said is a whole request, ``PipelineLimits/pauseMs`` after its last word.
        let endsWholeTurns: Bool

        init(_ detection: GlassesRealtime.TurnDetection?) {
            let longest = PipelineLimits.utteranceSamples / PipelineLimits.sampleRate * 1_000
            let pause = PipelineLimits.pauseMs
            switch detection {
            case .serverVAD(let vad):
                endpointing = EndpointerConfig(
                    threshold: Float(vad.threshold), prefixPaddingMs: vad.prefixPaddingMs,
                    silenceDurationMs: vad.silenceDurationMs, pauseMs: pause, maximumUtteranceMs: longest)
                endsWholeTurns = false
            case .semanticVAD(let vad):
                endpointing = EndpointerConfig(
                    silenceDurationMs: Self.patienceMs(vad.eagerness), pauseMs: pause, maximumUtteranceMs: longest)
                endsWholeTurns = vad.eagerness != "low"
            case .other:
                endpointing = EndpointerConfig(pauseMs: pause, maximumUtteranceMs: longest)
                endsWholeTurns = false
            case nil:
                endpointing = nil
                endsWholeTurns = false
            }
        }

        /// How long a pause may be inside a sentence that is not known to be whole.
        private static func patienceMs(_ eagerness: String) -> Int {
            switch eagerness {
            case "low": 1_200
            case "high": 300
            default: 600
            }
        }
    }

    init(_ settings: Settings) {
        self.settings = settings
        mode = Self.mode(for: settings)
    }

    private static func mode(for settings: Settings) -> Mode {
        guard let config = settings.endpointing else { return .collecting([], hasOverflowed: false) }
        do {
            return .detecting(try UtteranceDetector(sampleRate: PipelineLimits.sampleRate, config: config))
        } catch {
            // Reached only if 24 kHz left the supported rates; without a detector the client still can commit.
            return .collecting([], hasOverflowed: false)
        }
    }

    /// The buffer after turn detection changed: offsets go on, audio that was not committed is dropped. Nil when nothing
    /// changes.
    func reconfigured(_ settings: Settings) -> InputAudioBuffer? {
        guard settings != self.settings else { return nil }
        var next = InputAudioBuffer(settings)
        next.oddByte = oddByte
        next.writtenSamples = writtenSamples
        next.detectorBase = writtenSamples
        return next
    }

    /// Adds samples that came at `now`; `isOverAnswer` says that the assistant is being heard.
    mutating func append(_ samples: [Int16], at now: MonotonicTime, isOverAnswer: Bool) -> [Fact] {
        writtenSamples += samples.count
        switch mode {
        case .detecting:
            return detect { detector in
                detector.isOverAnswer = isOverAnswer
                return detector.process(samples, at: now)
            }
        case .collecting(var collected, let hasOverflowed):
            mode = .collecting([], hasOverflowed: hasOverflowed)
            let room = PipelineLimits.utteranceSamples - collected.count
            collected.append(contentsOf: samples.prefix(room))
            let overflows = samples.count > room
            mode = .collecting(collected, hasOverflowed: hasOverflowed || overflows)
            return overflows && !hasOverflowed ? [.overflowed] : []
        }
    }

    /// Ends what is being said or takes what was collected, for a client's commit.
    mutating func commit() -> (facts: [Fact], collected: [Int16]) {
        switch mode {
        case .detecting:
            return (detect { $0.finish() }, [])
        case .collecting(let collected, _):
            guard collected.count >= PipelineLimits.minimumCommitSamples else { return ([], []) }
            mode = .collecting([], hasOverflowed: false)
            return ([], collected)
        }
    }

    /// Forgets everything that was not committed.
    mutating func clear() {
        oddByte = nil
        switch mode {
        case .detecting(var detector):
            detector.clear()
            mode = .detecting(detector)
        case .collecting: mode = .collecting([], hasOverflowed: false)
        }
    }

    /// The samples of PCM16 little-endian bytes; one may be cut in two between calls.
    mutating func samples(of bytes: [UInt8]) -> [Int16] {
        guard let first = oddByte else {
            if !bytes.count.isMultiple(of: 2) { oddByte = bytes.last }
            return PCMBlock.samples(littleEndian: bytes)
        }
        let whole = [first] + bytes
        oddByte = whole.count.isMultiple(of: 2) ? nil : whole.last
        return PCMBlock.samples(littleEndian: whole)
    }

    private mutating func detect(_ body: (inout UtteranceDetector) -> [UtteranceEvent]) -> [Fact] {
        guard case .detecting(var detector) = mode else { return [] }
        // The only reference is taken out first, so that the detector's buffers are not copied.
        mode = .collecting([], hasOverflowed: false)
        let events = body(&detector)
        mode = .detecting(detector)
        return events.map { fact($0, unjudged: detector.unjudgedFrames) }
    }

    private func fact(_ event: UtteranceEvent, unjudged: Int) -> Fact {
        switch event {
        case .speechStarted(let start, let audio): .speechStarted(startMs: milliseconds(start), audio: audio)
        case .speechContinued(let audio): .speechContinued(audio)
        case .speechPaused: .speechPaused
        case .speechResumed: .speechResumed
        case .speechStopped(let end, let lastVoiced, _):
            .speechStopped(
                endMs: milliseconds(end),
                silenceMs: (Int(end.frame - lastVoiced.frame) + unjudged) * 1_000 / PipelineLimits.sampleRate)
        case .judgeLost(let loss): .judgeLost(loss)
        }
    }

    private func milliseconds(_ offset: AudioOffset) -> Int {
        (detectorBase + Int(offset.frame)) * 1_000 / PipelineLimits.sampleRate
    }
}

extension InputAudioBuffer {
    /// Hands the judgement of speech over, from the answered sample of the detector on; nil when the client decides.
    mutating func awaitJudge() -> Int64? {
        guard case .detecting(var detector) = mode else { return nil }
        let base = detector.awaitJudge()
        mode = .detecting(detector)
        return base
    }

    /// Whether another judge than energy is awaited.
    var isJudgedElsewhere: Bool {
        if case .detecting(let detector) = mode { detector.isJudgedElsewhere } else { false }
    }

    /// The other judge's word about samples of the detector.
    mutating func judged(_ piece: Range<Int64>, probability: Float) -> [Fact] {
        detect { $0.judged(piece, probability: probability) }
    }

    /// The other judge failed.
    mutating func judgeFailed() -> [Fact] { detect { $0.judgeFailed() } }

    /// What was said so far is a whole turn.
    mutating func completeTurn() -> [Fact] { detect { $0.completeTurn() } }
}
