import GlassesDomain

/// When each frame of a capture was at the microphone, from the plugin's time marks, and where its blocks are cut.
///
/// The marks are hostile input: one that goes backwards or makes no sense is left out, and times then follow from the
/// last good one at the nominal rate.
struct CaptureTimeline: Sendable, Equatable {
    /// A mark: the time of one frame.
    struct Mark: Sendable, Equatable {
        var frame: Int64
        var time: MonotonicTime
    }

    /// What was said of a mark.
    enum Judgement: Sendable, Equatable {
        case accepted
        case implausible
    }

    /// Blocks are 10 to 40 ms, as the port promises.
    private static let shortest = 10
    private static let longest = 40
    /// A capture time further than this from now is no capture time.
    private static let plausibleAge: Duration = .seconds(10)
    /// As many marks as a ring keeps; more can only come from a plugin that marks without writing.
    private static let pendingLimit = 256
    /// Two marks that differ by more than this from the nominal rate have a gap between them.
    private static let gap: Duration = .milliseconds(5)

    private let sampleRate: Int64
    private let capacity: Int64
    private(set) var position: Int64 = 0
    private var anchor: Mark?
    private var pending: [Mark] = []

    /// A timeline that starts at frame 0; `capacity` is the ring's.
    init(sampleRate: Int, capacity: Int) {
        self.sampleRate = Int64(sampleRate)
        self.capacity = Int64(capacity)
    }

    /// Adds a mark, in the order in which they were written.
    mutating func add(_ mark: Mark, now: MonotonicTime) -> Judgement {
        let last = pending.last ?? anchor
        let isTimely = -Self.plausibleAge...Self.plausibleAge ~= mark.time.duration(to: now)
        guard isTimely, mark.frame >= last?.frame ?? 0, mark.frame - position <= 2 * capacity,
            pending.count < Self.pendingLimit
        else { return .implausible }
        if mark.frame <= position {
            anchor = mark
        } else {
            pending.append(mark)
        }
        return .accepted
    }

    /// How many of `readable` frames make the next block; 0 when there are too few.
    func nextBlock(readable: Int) -> Int {
        let shortest = sampleRate * Int64(Self.shortest) / 1_000
        guard Int64(readable) >= shortest else { return 0 }
        let end = min(Int64(readable), sampleRate * Int64(Self.longest) / 1_000)
        for mark in pending where mark.frame < position + end {
            let length = mark.frame - position
            if length >= shortest || hasGap(before: mark) { return Int(length) }
        }
        return Int(end)
    }

    /// Takes a block of `count` frames and answers the time of its first one; nil when no time is known.
    mutating func take(_ count: Int) -> MonotonicTime? {
        let time = anchor.map { nominalTime(of: position, from: $0) }
        if let time { anchor = Mark(frame: position, time: time) }
        position += Int64(count)
        while let first = pending.first, first.frame <= position {
            anchor = pending.removeFirst()
        }
        return time
    }

    private func hasGap(before mark: Mark) -> Bool {
        guard let anchor else { return false }
        let difference = nominalTime(of: mark.frame, from: anchor).duration(to: mark.time)
        return difference > Self.gap || difference < -Self.gap
    }

    private func nominalTime(of frame: Int64, from mark: Mark) -> MonotonicTime {
        mark.time.advanced(by: .nanoseconds((frame - mark.frame) * 1_000_000_000 / sampleRate))
    }
}
