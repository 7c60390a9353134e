import GlassesDomain

/// The frames of live video that the provider has: the newest few, each sent when those before it were taken.
struct VideoFrames: Sendable, Hashable {
    private struct Frame: Sendable, Hashable {
        var itemID: String
        var eventID: String
        var sentAt: MonotonicTime
        var isTaken = false
    }

    /// A provider that has not said anything of a frame for so long never will.
    static let acknowledgement = Duration.seconds(5)

    private var frames: [Frame] = []
    private var lastBegun: MonotonicTime?
    /// Frames that were left out because they came too fast.
    var dropped = 0

    /// Whether a frame that the app offers now is sent; false for one that comes too fast.
    mutating func mayBegin(at now: MonotonicTime) -> Bool {
        let isSoon = lastBegun.map { $0.duration(to: now) < PictureBudget.frameInterval } ?? false
        let waiting = frames.count { !$0.isTaken && $0.sentAt.duration(to: now) < Self.acknowledgement }
        guard !isSoon, waiting < PictureBudget.keptFrames else { return false }
        lastBegun = now
        return true
    }

    /// A frame was sent; the items that are now too old to be kept.
    mutating func sent(_ itemID: String, eventID: String, at now: MonotonicTime) -> [String] {
        frames.append(Frame(itemID: itemID, eventID: eventID, sentAt: now))
        let old = frames.dropLast(PictureBudget.keptFrames).map(\.itemID)
        frames.removeFirst(old.count)
        return old
    }

    /// The provider has added an item; whether it is a frame.
    mutating func taken(_ itemID: String) -> Bool {
        guard let index = frames.firstIndex(where: { $0.itemID == itemID }) else { return false }
        frames[index].isTaken = true
        return true
    }

    /// The provider has refused the command with this id; whether it was a frame.
    mutating func refused(eventID: String?) -> Bool {
        guard let eventID, let index = frames.firstIndex(where: { $0.eventID == eventID }) else { return false }
        frames.remove(at: index)
        return true
    }

    /// A new connection has none of them.
    mutating func forget() { frames = [] }
}
