import GlassesDomain

/// Measures one spoken turn: from its last voiced sample to the first sample of its answer.
struct TurnClock: Equatable, Sendable {
    private let silenceMs: Int
    private let stoppedAt: MonotonicTime
    private var recognizedAt: MonotonicTime?
    private var toolMs = 0
    private var askedAt: MonotonicTime?
    private var repliedAt: MonotonicTime?
    private var brainMs = 0

    init(silenceMs: Int, stoppedAt: MonotonicTime) {
        self.silenceMs = silenceMs
        self.stoppedAt = stoppedAt
    }

    mutating func recognized(at now: MonotonicTime) { recognizedAt = now }

    /// The brain is asked: the first time for the turn, later for the results of its tools.
    mutating func asked(at now: MonotonicTime) {
        if let repliedAt { toolMs += Self.milliseconds(repliedAt, now) }
        repliedAt = nil
        askedAt = now
    }

    mutating func replied(at now: MonotonicTime) {
        if let askedAt { brainMs += Self.milliseconds(askedAt, now) }
        askedAt = nil
        repliedAt = now
    }

    /// The stages at the first sample of the answer; nil when the turn did not lead to it.
    func stages(at now: MonotonicTime) -> TurnStages? {
        guard let recognizedAt, let repliedAt else { return nil }
        return TurnStages(
            endpointMs: silenceMs, recognitionMs: Self.milliseconds(stoppedAt, recognizedAt), brainMs: brainMs,
            toolMs: toolMs, synthesisMs: Self.milliseconds(repliedAt, now),
            totalMs: silenceMs + Self.milliseconds(stoppedAt, now))
    }

    private static func milliseconds(_ start: MonotonicTime, _ end: MonotonicTime) -> Int {
        Int(start.duration(to: end).wholeMilliseconds)
    }
}
