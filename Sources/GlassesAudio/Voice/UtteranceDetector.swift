/// What an ``UtteranceDetector`` found.
public enum UtteranceEvent: Sendable, Hashable {
    /// An utterance began at `start`; `audio` is everything of it so far, prefix padding included.
    case speechStarted(start: AudioOffset, audio: [Int16])
    /// The utterance goes on with these samples.
    case speechContinued([Int16])
    /// The utterance is over; all of its audio was delivered.
    case speechStopped(end: AudioOffset, lastVoiced: AudioOffset, reason: Endpointer.StopReason)
}

/// Cuts a mono stream into utterances: ``EnergyVAD``, ``Endpointer`` and ``PreRollBuffer`` in one.
///
/// Audio may come in pieces of any length; how it is cut into pieces changes nothing but the grouping of
/// ``UtteranceEvent/speechContinued(_:)``.
public struct UtteranceDetector: Sendable, Hashable {
    /// Frames per second of the input.
    public let sampleRate: Int
    private var vad: EnergyVAD
    private var endpointer: Endpointer
    private var preRoll: PreRollBuffer
    /// The beginning of a frame that is not complete.
    private var pending: [Int16] = []
    private var isSpeaking = false

    /// Length of the frames that are judged, in milliseconds.
    private static let frameMs = 20

    /// A detector for audio of `sampleRate` frames per second.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` for a rate outside ``SampleRates/supported``.
    public init(
        sampleRate: Int, config: EndpointerConfig = EndpointerConfig(), tuning: VADTuning = .standard
    ) throws(AudioFormatError) {
        self.sampleRate = sampleRate
        vad = try EnergyVAD(sampleRate: sampleRate, frameMs: Self.frameMs, tuning: tuning)
        endpointer = try Endpointer(config: config, sampleRate: sampleRate)
        let milliseconds = config.prefixPaddingMs + Endpointer.longestOnsetMs(config, frameMs: Self.frameMs)
        preRoll = PreRollBuffer(capacity: milliseconds * sampleRate / 1_000)
        pending.reserveCapacity(vad.frameLength)
    }

    /// Takes the next audio of the stream.
    public mutating func process(_ samples: [Int16]) -> [UtteranceEvent] {
        var events: [UtteranceEvent] = []
        var rest = samples[...]
        while !rest.isEmpty {
            let piece = rest.prefix(vad.frameLength - pending.count)
            pending.append(contentsOf: piece)
            rest = rest.dropFirst(piece.count)
            if pending.count == vad.frameLength { judge(&events) }
        }
        return events
    }

    /// Forgets the utterance in progress, as `input_audio_buffer.clear` does; offsets go on.
    public mutating func clear() {
        _ = countPending()
        _ = endpointer.apply(.cleared)
        isSpeaking = false
    }

    /// Ends the utterance in progress, as `input_audio_buffer.commit` or the end of the audio does.
    public mutating func finish() -> [UtteranceEvent] {
        var events: [UtteranceEvent] = []
        if isSpeaking, !pending.isEmpty { events.append(.speechContinued(pending)) }
        report(countPending(), to: &events)
        report(endpointer.apply(.ended), to: &events)
        return events
    }

    private mutating func judge(_ events: inout [UtteranceEvent]) {
        let frame = takePending()
        let decision = vad.process(frame.span)
        preRoll.append(frame.span)
        if isSpeaking { events.append(.speechContinued(frame)) }
        report(endpointer.apply(.judged(probability: decision.probability, frames: frame.count)), to: &events)
    }

    /// Counts the incomplete frame, which is too short to be judged, as silence.
    private mutating func countPending() -> Endpointer.Action {
        let frame = takePending()
        preRoll.append(frame.span)
        return endpointer.apply(.judged(probability: 0, frames: frame.count))
    }

    private mutating func takePending() -> [Int16] {
        defer { pending.removeAll(keepingCapacity: true) }
        return pending
    }

    private mutating func report(_ action: Endpointer.Action, to events: inout [UtteranceEvent]) {
        switch action {
        case .none:
            break
        case .speechStarted(let start):
            isSpeaking = true
            events.append(.speechStarted(start: start, audio: preRoll.samples(from: start.frame)))
        case .speechStopped(let end, let lastVoiced, let reason):
            isSpeaking = false
            events.append(.speechStopped(end: end, lastVoiced: lastVoiced, reason: reason))
        }
    }
}
