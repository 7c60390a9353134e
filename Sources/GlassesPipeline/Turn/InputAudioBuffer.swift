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
        /// The speech is over.
        case speechStopped(endMs: Int)
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

        init(_ detection: GlassesRealtime.TurnDetection?) {
            let longest = PipelineLimits.utteranceSamples / PipelineLimits.sampleRate * 1_000
            switch detection {
            case .serverVAD(let vad):
                endpointing = EndpointerConfig(
                    threshold: Float(vad.threshold), prefixPaddingMs: vad.prefixPaddingMs,
                    silenceDurationMs: vad.silenceDurationMs, maximumUtteranceMs: longest)
            case .semanticVAD(let vad):
                endpointing = EndpointerConfig(
                    silenceDurationMs: Self.patienceMs(vad.eagerness), maximumUtteranceMs: longest)
            case .other: endpointing = EndpointerConfig(maximumUtteranceMs: longest)
            case nil: endpointing = nil
            }
        }

        /// Semantic turn detection without a language model is patience: how long a pause may be inside a sentence.
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

    /// Adds PCM16 little-endian bytes; a sample may be cut in two between calls.
    mutating func append(_ bytes: [UInt8]) -> [Fact] {
        let samples = samples(of: bytes)
        writtenSamples += samples.count
        switch mode {
        case .detecting(var detector):
            // The only reference is taken out first, so that the detector's buffers are not copied.
            mode = .collecting([], hasOverflowed: false)
            let facts = detector.process(samples).map(fact)
            mode = .detecting(detector)
            return facts
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
        case .detecting(var detector):
            let facts = detector.finish().map(fact)
            mode = .detecting(detector)
            return (facts, [])
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

    private mutating func samples(of bytes: [UInt8]) -> [Int16] {
        guard let first = oddByte else {
            if !bytes.count.isMultiple(of: 2) { oddByte = bytes.last }
            return PCMBlock.samples(littleEndian: bytes)
        }
        let whole = [first] + bytes
        oddByte = whole.count.isMultiple(of: 2) ? nil : whole.last
        return PCMBlock.samples(littleEndian: whole)
    }

    private func fact(_ event: UtteranceEvent) -> Fact {
        switch event {
        case .speechStarted(let start, let audio): .speechStarted(startMs: milliseconds(start), audio: audio)
        case .speechContinued(let audio): .speechContinued(audio)
        case .speechStopped(let end, _, _): .speechStopped(endMs: milliseconds(end))
        }
    }

    private func milliseconds(_ offset: AudioOffset) -> Int {
        (detectorBase + Int(offset.frame)) * 1_000 / PipelineLimits.sampleRate
    }
}
