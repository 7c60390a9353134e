import GlassesAssistant

/// A loudspeaker that plays by steps and tells what was heard.
struct StepwiseSpeaker {
    private var queue: [(segment: SegmentID, milliseconds: Int)] = []
    private var heard: [SegmentID: Int] = [:]
    private var flushes: [FlushID] = []
    private var started: Set<SegmentID> = []

    var isEmpty: Bool { queue.isEmpty }

    mutating func add(_ segment: SegmentID, milliseconds: Int) { queue.append((segment, milliseconds)) }

    mutating func flush(_ id: FlushID) {
        queue = []
        flushes.append(id)
    }

    /// Plays on, and tells what the session has to know.
    mutating func play(_ milliseconds: Int) -> [SessionInput] {
        let positions = heard.map { HeardPosition(segment: $0.key, milliseconds: $0.value) }
        var inputs = flushes.map { SessionInput.flushCompleted($0, heard: positions) }
        flushes = []
        guard let segment = queue.first?.segment else { return inputs }
        if started.insert(segment).inserted { inputs.append(.playbackStarted(segment)) }
        var left = milliseconds
        while left > 0, let first = queue.first {
            let played = min(left, first.milliseconds)
            left -= played
            heard[first.segment, default: 0] += played
            if played == first.milliseconds { queue.removeFirst() } else { queue[0].milliseconds -= played }
        }
        inputs.append(.playbackProgressed(HeardPosition(segment: segment, milliseconds: heard[segment] ?? 0)))
        if queue.isEmpty { inputs.append(.playbackDrained) }
        return inputs
    }
}
