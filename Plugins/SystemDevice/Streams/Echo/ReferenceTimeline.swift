import Synchronization

/// What the loudspeaker plays and when: the reference of echo cancellation.
///
/// Samples lie at the place of the moment at which they leave the loudspeaker, counted at 48 kHz on CLOCK_MONOTONIC. The
/// [audio] thread that plays writes ahead of the present, the thread that cancels echo reads behind it; neither waits.
final class ReferenceTimeline: @unchecked Sendable {
    // because one thread writes and one reads, and `head` orders the two. They meet only if a timestamp is wrong by what
    // lies between played and captured audio; then a frame of the reference is spoilt, and nothing else.

    /// Samples kept: a sound server's longest delay before the present, and the longest echo path behind it.
    static let capacity = StreamFormat.frames(milliseconds: 4_000)
    /// Room that the writer may be using while the reader reads.
    private static let guardedRoom = StreamFormat.frames(milliseconds: 1_000)

    private let samples: UnsafeMutablePointer<Int16>
    /// The place behind the last sample.
    private let head = Atomic<Int64>(0)
    private let measuredDeviation = Atomic<Int>(0)

    // The writer's.
    private var next: Int64?
    private var alignment = QueueAlignment()

    init() {
        samples = .allocate(capacity: Self.capacity)
        samples.initialize(repeating: 0, count: Self.capacity)
    }

    deinit { samples.deallocate() }

    /// The place of a moment on CLOCK_MONOTONIC.
    static func place(of time: Int64) -> Int64 {
        let perMillisecond = Int64(StreamFormat.rate / 1_000)
        return time / millisecond * perMillisecond + time % millisecond * perMillisecond / millisecond
    }

    // MARK: The writer. Lock-free, allocates nothing. [audio]

    /// The device took `count` samples. They follow the ones before; the first ones after ``cut(at:)`` lie at `time`.
    func append(_ new: UnsafePointer<Int16>, _ count: Int, leavingAt time: Int64) {
        let count = min(count, Self.capacity)
        guard count > 0 else { return }
        let start = next ?? Self.place(of: time)
        let end = head.load(ordering: .relaxed)
        if start > end { fill(from: max(end, start - Int64(Self.capacity)), to: start) }
        let slot = Self.slot(start)
        let first = min(count, Self.capacity - slot)
        (samples + slot).update(from: new, count: first)
        samples.update(from: new + first, count: count - first)
        next = start + Int64(count)
        head.store(start + Int64(count), ordering: .releasing)
    }

    /// The device says that everything it took will have left the loudspeaker at `time`: moves what comes next if that is
    /// elsewhere.
    func settle(endLeavingAt time: Int64) {
        guard let expected = next else { return }
        let deviation = Int(clamping: Self.place(of: time) - expected)
        let move = alignment.note(deviation)
        next = expected + Int64(move)
        measuredDeviation.store(deviation - move, ordering: .relaxed)
    }

    /// The device dropped what it had not played at `time`, or ran dry then.
    func cut(at time: Int64) {
        next = nil
        alignment.restart()
        measuredDeviation.store(0, ordering: .relaxed)
        head.store(min(head.load(ordering: .relaxed), Self.place(of: time)), ordering: .releasing)
    }

    private func fill(from start: Int64, to end: Int64) {
        let count = Int(end - start)
        let slot = Self.slot(start)
        let first = min(count, Self.capacity - slot)
        (samples + slot).update(repeating: 0, count: first)
        samples.update(repeating: 0, count: count - first)
    }

    // MARK: The reader

    /// How many samples later than its place here the newest audio leaves the loudspeaker.
    var deviation: Int { measuredDeviation.load(ordering: .relaxed) }

    /// Copies `count` samples from the place `start` on; silence where nothing was played or is known any more.
    func read(_ count: Int, from start: Int64, into target: UnsafeMutablePointer<Int16>) {
        let end = head.load(ordering: .acquiring)
        let oldest = end - Int64(Self.capacity - Self.guardedRoom)
        let first = min(max(start, oldest), start + Int64(count))
        let last = max(first, min(start + Int64(count), end))
        let (before, known) = (Int(first - start), Int(last - first))
        target.update(repeating: 0, count: before)
        let slot = Self.slot(first)
        let untilWrap = min(known, Self.capacity - slot)
        (target + before).update(from: samples + slot, count: untilWrap)
        (target + before + untilWrap).update(from: samples, count: known - untilWrap)
        (target + before + known).update(repeating: 0, count: count - before - known)
    }

    private static func slot(_ place: Int64) -> Int {
        let rest = Int(place % Int64(capacity))
        return rest < 0 ? rest + capacity : rest
    }
}
