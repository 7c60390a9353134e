import GlassesDomain

/// Names one stretch of the assistant's audio: a content part of an item of an answer.
public struct PlayoutSegmentID: Sendable, Hashable {
    /// The answer that the audio belongs to.
    public let responseID: String
    /// The conversation item that holds the audio.
    public let itemID: String
    /// The index of the content part in its item, from 0.
    public let contentIndex: Int

    /// The id of a content part.
    public init(responseID: String, itemID: String, contentIndex: Int) {
        self.responseID = responseID
        self.itemID = itemID
        self.contentIndex = contentIndex
    }
}

/// How much of one segment has been heard.
public struct PlayoutSegmentStatus: Sendable, Hashable {
    /// How far the segment has come.
    public enum Progress: Sendable, Hashable {
        /// Less than 1 ms was heard.
        case unheard
        /// Some of it was heard.
        case partlyHeard
        /// All of it was received, written and heard.
        case heard
    }

    /// The segment.
    public let id: PlayoutSegmentID
    /// Whole milliseconds that were heard, rounded down and never above ``receivedMs``: the place to truncate at.
    public let heardMs: Int64
    /// Whole milliseconds that were received, rounded down.
    public let receivedMs: Int64
    /// How far the segment has come.
    public let progress: Progress
}

/// When the written audio will have been heard.
public enum PlayoutEnd: Sendable, Hashable {
    /// All of it has been heard, or there was none.
    case played
    /// It plays, and at the nominal rate it will have been heard at this moment.
    case expected(MonotonicTime)
    /// It does not play now; this much is still to be heard.
    case stopped(remaining: Duration)
}

/// The bookkeeping of one segment in frames of the loudspeaker.
struct PlayoutSegment: Sendable, Hashable {
    let id: PlayoutSegmentID
    /// Frames received, at the provider's rate.
    var receivedFrames: Int64 = 0
    /// Whether everything received has been written and nothing more will come.
    var isComplete = false
    /// Whether a flush took frames out of it.
    private(set) var wasCut = false
    /// Frames that a pause took out and that are to be written again.
    private(set) var owedFrames: Int64 = 0
    /// Frames that have been heard for certain; their ranges are forgotten.
    private var settledFrames: Int64 = 0
    /// Written frames that are not settled, in ascending order.
    private var ranges: [Range<Int64>] = []

    init(id: PlayoutSegmentID) { self.id = id }

    var isSettled: Bool { ranges.isEmpty && owedFrames == 0 }
    var endFrame: Int64? { ranges.last?.upperBound }

    var writtenFrames: Int64 { ranges.reduce(settledFrames) { $0 + Int64($1.count) } }

    func heardFrames(upTo position: Int64) -> Int64 {
        ranges.reduce(settledFrames) { $0 + max(0, min($1.upperBound, position) - $1.lowerBound) }
    }

    func contains(_ frame: Int64) -> Bool { ranges.contains { $0.contains(frame) } }

    mutating func append(_ range: Range<Int64>) {
        owedFrames = max(0, owedFrames - Int64(range.count))
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    /// Forgets the ranges below `position`, which have been heard.
    mutating func settle(upTo position: Int64) {
        while let first = ranges.first, first.lowerBound < position {
            let end = min(first.upperBound, position)
            settledFrames += end - first.lowerBound
            if end == first.upperBound {
                ranges.removeFirst()
            } else {
                ranges[0] = end..<first.upperBound
            }
        }
    }

    /// Takes out the frames of `cut`, which will never be heard, or not before they are written again.
    mutating func remove(_ cut: Range<Int64>, isRewritten: Bool) {
        guard ranges.contains(where: { $0.overlaps(cut) }) else { return }
        let before = writtenFrames
        defer { if isRewritten { owedFrames += before - writtenFrames } else { wasCut = true } }
        ranges = ranges.flatMap { range in
            [
                range.lowerBound..<max(range.lowerBound, min(range.upperBound, cut.lowerBound)),
                min(range.upperBound, max(range.lowerBound, cut.upperBound))..<range.upperBound,
            ].filter { !$0.isEmpty }
        }
    }
}
