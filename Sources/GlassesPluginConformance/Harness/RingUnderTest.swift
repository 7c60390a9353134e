import CGlassesPlugin
import CShims
import Glibc

/// A ring as the host makes it, laid out so that every byte around it is watched: whole pages of its own, a canary behind it,
/// and an inaccessible page behind that.
final class RingUnderTest {
    let pointer: UnsafeMutablePointer<glasses_ring>
    let capacity: UInt32
    let rate: UInt32
    let wake: Int32
    let kick: Int32
    private let start: UnsafeMutableRawPointer
    private let length: Int
    private let used: Int

    private static let canary: UInt8 = 0xC5

    /// A ring of so many milliseconds. Never freed: a broken plugin may still write there.
    init(rate: Int, milliseconds: Int) throws(CaseEnd) {
        capacity = UInt32(rate * milliseconds / 1_000)
        self.rate = UInt32(rate)
        used = glasses_ring_bytes(capacity)
        let page = Int(getpagesize())
        length = (used + 64 + page - 1) / page * page
        start = try GuardedMemory.pages(length + page)
        guard mprotect(start + length, page, PROT_NONE) == 0 else { throw .skipped("the system gave no guard page") }
        (wake, kick) = (cshims_eventfd(), cshims_eventfd())
        guard wake >= 0, kick >= 0 else { throw .skipped("the system gave no eventfd") }
        memset(start + used, Int32(Self.canary), length - used)
        pointer = start.bindMemory(to: glasses_ring.self, capacity: 1)
        pointer.pointee.size = UInt32(MemoryLayout<glasses_ring>.size)
        pointer.pointee.capacity = capacity
        pointer.pointee.sample_rate = self.rate
        pointer.pointee.wake_fd = wake
        pointer.pointee.kick_fd = kick
    }

    var written: Int64 { glasses_ring_load(&pointer.pointee.write_position) }
    var read: Int64 { glasses_ring_load(&pointer.pointee.read_position) }
    var dropped: Int64 { glasses_ring_load(&pointer.pointee.dropped) }
    var marks: Int64 { glasses_ring_load(&pointer.pointee.mark_count) }

    /// The mark number `index`; nil when it is overwritten.
    func mark(_ index: Int64) -> glasses_ring_mark? {
        var mark = glasses_ring_mark()
        return glasses_ring_get_mark(pointer, index, &mark) != 0 ? mark : nil
    }

    /// Takes everything that is there, as the host's reader does.
    func drain() {
        glasses_ring_skip(pointer, written)
        _ = cshims_eventfd_drain(wake)
    }

    /// Writes a quiet tone of so many frames and tells the plugin; answers how many fitted.
    func play(_ frames: Int) -> Int {
        let samples = (0..<frames).map { Int16(truncatingIfNeeded: ($0 % 64 - 32) * 20) }
        let taken = samples.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { glasses_ring_write(pointer, capacity, $0, UInt32(buffer.count), 0) } ?? 0
        }
        cshims_eventfd_signal(kick)
        return Int(taken)
    }

    /// What the loudspeaker published last.
    func playback() -> glasses_playback {
        var playback = glasses_playback()
        while glasses_ring_playback(pointer, &playback) == 0 { usleep(100) }
        return playback
    }

    /// Fails when anything changed that is the host's alone.
    func checkBounds() throws(CaseEnd) {
        let ring = pointer.pointee
        let isKept =
            ring.size == UInt32(MemoryLayout<glasses_ring>.size) && ring.capacity == capacity
            && ring.sample_rate == rate && ring.wake_fd == wake && ring.kick_fd == kick
        try expect(isKept, "The plugin changed a field of glasses_ring that only the host may set.")
        let isWhole = (used..<length).allSatisfy { start.load(fromByteOffset: $0, as: UInt8.self) == Self.canary }
        try expect(isWhole, "The plugin wrote behind the last sample of the ring.")
        try expect(written >= 0 && read >= 0, "A position of the ring is negative.")
        try expect(
            read <= written && written - read <= Int64(capacity),
            "The ring holds \(written - read) frames; its capacity is \(capacity).")
    }

    /// From now on every touch by the plugin is noted, or with `writes` only those that write.
    func watch(writes: Bool) throws(CaseEnd) {
        guard cshims_watch_begin(start, length, writes ? PROT_READ : PROT_NONE) == 0 else {
            throw .skipped("the system does not let memory be watched")
        }
    }

    /// The threads that touched it while it was watched.
    var touches: [Int32] {
        var threads = [Int32](repeating: 0, count: 64)
        let count = cshims_watch_touches(&threads, Int32(threads.count))
        return Array(threads.prefix(Int(count)))
    }

    /// Gives the plugin all access back.
    func endWatch() { cshims_watch_end() }

    /// Fails when the plugin touches it within a third of a second.
    func checkUntouched(after what: String) throws(CaseEnd) {
        try watch(writes: false)
        Moment.pause(.milliseconds(300))
        let threads = touches
        endWatch()
        try expect(threads.isEmpty, "The plugin touched the ring after \(what).")
    }
}
