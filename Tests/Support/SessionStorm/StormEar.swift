import GlassesAssistant
import GlassesDomain

/// A loudspeaker and the ear before it: what was handed over, and what was really heard of it.
struct StormEar: Sendable {
    private struct Piece: Sendable {
        var segment: SegmentID
        var milliseconds: Int
    }

    /// What playing on for a while told.
    struct Progress: Sendable {
        var started: [SegmentID] = []
        var positions: [HeardPosition] = []
        var isDrained = false
    }

    private var queue: [Piece] = []
    private var updated = MonotonicTime.zero
    private var begun: Set<SegmentID> = []
    /// Milliseconds that were heard, by segment.
    private(set) var heard: [SegmentID: Int] = [:]
    /// What was handed over since the device last told that everything was heard.
    private var unsettled: Set<SegmentID> = []
    /// Whether the device stands still, or is away.
    var isStill = false
    /// Whether the voice stands still by the session's order.
    private(set) var isPaused = false
    /// Counts flushes and restarts, so that reports planned before one are void.
    private(set) var generation = 0
    /// Segments that have become audible since the last report.
    private var news: [SegmentID] = []
    /// Segments that were heard since the last report, and how far of each was told.
    private var order: [SegmentID] = []
    private var told: [SegmentID: Int] = [:]
    var isPlaying: Bool { !queue.isEmpty }
    /// What is heard now.
    var voice: SegmentID? { queue.first?.segment }
    /// Whether the session has not been told yet that everything was heard.
    var owesReport: Bool { !unsettled.isEmpty }
    /// When the next report is due, in milliseconds from the last one.
    var nextReport: Int { min(queue.first?.milliseconds ?? 0, 120) }

    /// Appends audio; true when the device begins anew and reports have to be planned.
    mutating func play(_ segment: SegmentID, milliseconds: Int, at now: MonotonicTime) -> Bool {
        let begins = queue.isEmpty && !isPaused
        unsettled.insert(segment)
        if begins { updated = now }
        if let last = queue.indices.last, queue[last].segment == segment {
            queue[last].milliseconds += milliseconds
        } else {
            queue.append(Piece(segment: segment, milliseconds: milliseconds))
        }
        return begins
    }

    /// What a report tells: what became audible since the last one, and how far it is.
    mutating func report(at now: MonotonicTime) -> Progress {
        var progress = advance(to: now)
        progress.started = news
        news = []
        progress.positions = order.compactMap { segment in
            let milliseconds = heard[segment] ?? 0
            return told[segment] == milliseconds ? nil : HeardPosition(segment: segment, milliseconds: milliseconds)
        }
        for position in progress.positions { told[position.segment] = position.milliseconds }
        order = queue.first.map { [$0.segment] } ?? []
        return progress
    }

    @discardableResult
    mutating func advance(to now: MonotonicTime) -> Progress {
        var progress = Progress()
        var left = isStill || isPaused ? 0 : updated.duration(to: now).wholeMilliseconds
        // What is below a millisecond is left for the next time.
        updated = isStill || isPaused ? now : updated.advanced(by: .milliseconds(left))
        while let piece = queue.first {
            if left > 0, begun.insert(piece.segment).inserted { news.append(piece.segment) }
            if order.last != piece.segment { order.append(piece.segment) }
            let part = min(Int64(piece.milliseconds), left)
            left -= part
            heard[piece.segment, default: 0] += Int(part)
            queue[0].milliseconds -= Int(part)
            guard queue[0].milliseconds == 0 else { break }
            queue.removeFirst()
        }
        progress.isDrained = queue.isEmpty
        return progress
    }

    /// The session was told that everything was heard.
    mutating func settle() { unsettled = [] }

    /// Stands still, `latency` milliseconds from now.
    mutating func pause(at now: MonotonicTime, latency: Int) {
        advance(to: now.advanced(by: .milliseconds(isPaused ? 0 : latency)))
        isPaused = true
        generation += 1
    }

    /// Goes on where it stood still.
    mutating func resume(at now: MonotonicTime) {
        guard isPaused else { return }
        isPaused = false
        updated = max(updated, now)
    }

    /// Cuts everything, `latency` milliseconds from now, and says how much of it was heard.
    mutating func flush(at now: MonotonicTime, latency: Int) -> [HeardPosition] {
        let flushed = unsettled
        unsettled = []
        advance(to: now.advanced(by: .milliseconds(latency)))
        isPaused = false
        news = []
        queue = []
        generation += 1
        return flushed.map { HeardPosition(segment: $0, milliseconds: heard[$0] ?? 0) }
            .sorted { $0.segment.responseID < $1.segment.responseID }
    }
}
