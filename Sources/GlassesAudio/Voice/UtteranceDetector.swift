public import GlassesDomain

/// Cuts a mono stream into utterances: a judge of speech, ``Endpointer`` and ``PreRollBuffer`` in one.
///
/// ``EnergyVAD`` judges, or, after ``awaitJudge()``, somebody else whose judgements come by ``judged(_:probability:)`` later than
/// the audio. ``EnergyVAD`` listens along all the time: it takes over at once, and from the first frame that was not judged,
/// when the other judge fails, lags or is overrun.
///
/// Audio may come in pieces of any length; how it is cut into pieces changes nothing but the grouping of
/// ``UtteranceEvent/speechContinued(_:)``.
public struct UtteranceDetector: Sendable, Hashable {
    /// How long after its audio a judgement may come: beyond it an answer to the end of a turn would be late.
    public static let longestLag: Duration = .milliseconds(300)
    /// How much audio is kept for the other judge.
    private static let longestBacklogMs = 2_000
    /// What the other judge may hold back because it makes no whole piece of its own yet.
    private static let unfinishedPieceMs = 64

    /// What ``EnergyVAD`` thinks of audio that the other judge has not judged yet.
    private struct Reserve: Sendable, Hashable {
        let end: Int64
        let probability: Float
        let heardAt: MonotonicTime
    }

    /// Frames per second of the input.
    public let sampleRate: Int
    private var vad: EnergyVAD
    private var endpointer: Endpointer
    private var audio: PreRollBuffer
    /// The beginning of a frame of ``EnergyVAD`` that is not complete.
    private var pending: [Int16] = []
    private var isSpeaking = false
    /// Everything before this frame was judged.
    private var judgedFrame: Int64 = 0
    private var reserves: [Reserve] = []
    /// Whether another judge's word is awaited.
    public private(set) var isJudgedElsewhere = false

    /// A detector for audio of `sampleRate` frames per second.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` for a rate outside ``SampleRates/supported``.
    public init(
        sampleRate: Int, config: EndpointerConfig = EndpointerConfig(), tuning: VADTuning = .standard
    ) throws(AudioFormatError) {
        self.sampleRate = sampleRate
        vad = try EnergyVAD(sampleRate: sampleRate, frameMs: EndpointingTuning.energy.frameMs, tuning: tuning)
        endpointer = try Endpointer(config: config, sampleRate: sampleRate)
        let milliseconds =
            config.prefixPaddingMs + Endpointer.longestOnsetMs(config) + Self.longestBacklogMs + Self.unfinishedPieceMs
        audio = PreRollBuffer(capacity: milliseconds * sampleRate / 1_000)
        pending.reserveCapacity(vad.frameLength)
    }

    /// Whether the assistant is being heard, when a start needs ``EndpointingTuning/bargeInSpeechMs``.
    public var isOverAnswer: Bool {
        get { endpointer.isOverAnswer }
        set { endpointer.isOverAnswer = newValue }
    }

    /// The audio that came and was not judged yet, in frames.
    public var unjudgedFrames: Int { Int(audio.endFrame - judgedFrame) }

    /// Hands the judgement over to somebody else, from the answered frame on: the first one that comes after this call.
    public mutating func awaitJudge() -> Int64 {
        isJudgedElsewhere = true
        endpointer.tuning = .neural
        return audio.endFrame
    }

    /// Takes the next audio of the stream, which came at `now`; the time matters only while another judge is awaited.
    public mutating func process(_ samples: [Int16], at now: MonotonicTime = .zero) -> [UtteranceEvent] {
        var events: [UtteranceEvent] = []
        if isLagging(at: now) { judgeLost(.lagged, &events) }
        var rest = samples[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(vad.frameLength - pending.count))
            pending.append(contentsOf: piece)
            audio.append(piece.span)
            rest = rest.dropFirst(piece.count)
            if pending.count == vad.frameLength { judgeByEnergy(at: now, &events) }
            if isJudgedElsewhere, unjudgedFrames > frames(Self.longestBacklogMs) { judgeLost(.overrun, &events) }
        }
        return events
    }

    /// The other judge's word about a piece of the stream. Pieces come in order; one that was overtaken by ``clear()``,
    /// ``finish()`` or a loss changes nothing, and what it leaves out is judged by energy.
    public mutating func judged(_ piece: Range<Int64>, probability: Float) -> [UtteranceEvent] {
        var events: [UtteranceEvent] = []
        guard isJudgedElsewhere else { return events }
        judgeReserves(before: piece.lowerBound, &events)
        advance(to: min(piece.upperBound, audio.endFrame), probability, &events)
        return events
    }

    /// The other judge failed.
    public mutating func judgeFailed() -> [UtteranceEvent] {
        var events: [UtteranceEvent] = []
        if isJudgedElsewhere { judgeLost(.failed, &events) }
        return events
    }

    /// Ends the utterance in progress: what was said is a whole turn.
    public mutating func completeTurn() -> [UtteranceEvent] {
        var events: [UtteranceEvent] = []
        report(endpointer.apply(.turnCompleted), to: &events)
        return events
    }

    /// Forgets the utterance in progress, as `input_audio_buffer.clear` does; offsets go on.
    public mutating func clear() {
        isSpeaking = false
        _ = judgeRest()
        _ = endpointer.apply(.cleared)
        isSpeaking = false
    }

    /// Ends the utterance in progress, as `input_audio_buffer.commit` or the end of the audio does.
    public mutating func finish() -> [UtteranceEvent] {
        var events = judgeRest()
        report(endpointer.apply(.ended), to: &events)
        return events
    }

    /// Judges everything that came by what is known of it; an incomplete frame, which is too short, counts as silence.
    private mutating func judgeRest() -> [UtteranceEvent] {
        var events: [UtteranceEvent] = []
        judgeReserves(before: audio.endFrame, &events)
        advance(to: audio.endFrame, 0, &events)
        pending.removeAll(keepingCapacity: true)
        return events
    }

    private func isLagging(at now: MonotonicTime) -> Bool {
        guard isJudgedElsewhere, let oldest = reserves.first else { return false }
        return oldest.end <= audio.endFrame - Int64(frames(Self.unfinishedPieceMs))
            && oldest.heardAt.advanced(by: Self.longestLag) < now
    }

    private mutating func judgeLost(_ loss: JudgeLoss, _ events: inout [UtteranceEvent]) {
        isJudgedElsewhere = false
        endpointer.tuning = .energy
        events.append(.judgeLost(loss))
        judgeReserves(before: audio.endFrame, &events)
    }

    private mutating func judgeByEnergy(at now: MonotonicTime, _ events: inout [UtteranceEvent]) {
        let frame = pending
        pending.removeAll(keepingCapacity: true)
        let probability = vad.process(frame.span).probability
        if isJudgedElsewhere {
            reserves.append(Reserve(end: audio.endFrame, probability: probability, heardAt: now))
        } else {
            advance(to: audio.endFrame, probability, &events)
        }
    }

    private mutating func judgeReserves(before frame: Int64, _ events: inout [UtteranceEvent]) {
        for reserve in reserves where reserve.end <= frame { advance(to: reserve.end, reserve.probability, &events) }
        reserves.removeAll { $0.end <= judgedFrame }
    }

    /// Everything up to `end` is speech with this probability.
    private mutating func advance(to end: Int64, _ probability: Float, _ events: inout [UtteranceEvent]) {
        guard end > judgedFrame else { return }
        let piece = judgedFrame..<end
        judgedFrame = end
        reserves.removeAll { $0.end <= end }
        if isSpeaking { events.append(.speechContinued(audio.samples(in: piece))) }
        report(endpointer.apply(.judged(probability: probability, frames: piece.count)), to: &events)
    }

    private mutating func report(_ action: Endpointer.Action, to events: inout [UtteranceEvent]) {
        switch action {
        case .none: break
        case .paused: events.append(.speechPaused)
        case .resumed: events.append(.speechResumed)
        case .speechStarted(let start):
            isSpeaking = true
            let samples = audio.samples(in: min(start.frame, judgedFrame)..<judgedFrame)
            events.append(.speechStarted(start: start, audio: samples))
        case .speechStopped(let end, let lastVoiced, let reason):
            isSpeaking = false
            events.append(.speechStopped(end: end, lastVoiced: lastVoiced, reason: reason))
        }
    }

    private func frames(_ milliseconds: Int) -> Int { milliseconds * sampleRate / 1_000 }
}
