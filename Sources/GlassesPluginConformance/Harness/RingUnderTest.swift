import CGlassesPlugin
import CShims
import Glibc

/// A ring as the host makes it, in watched memory.
final class RingUnderTest {
    let pointer: UnsafeMutablePointer<glasses_ring>
    let capacity: UInt32
    let rate: UInt32
    let wake: Int32
    let kick: Int32
    let memory: WatchedMemory

    /// A ring of so many milliseconds.
    init(rate: Int, milliseconds: Int) throws(CaseEnd) {
        capacity = UInt32(rate * milliseconds / 1_000)
        self.rate = UInt32(rate)
        memory = try WatchedMemory(glasses_ring_bytes(capacity))
        (wake, kick) = (cshims_eventfd(), cshims_eventfd())
        guard wake >= 0, kick >= 0 else { throw .skipped("the system gave no eventfd") }
        pointer = memory.start.bindMemory(to: glasses_ring.self, capacity: 1)
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
        try expect(memory.isWhole, "The plugin wrote behind the last sample of the ring.")
        try expect(written >= 0 && read >= 0, "A position of the ring is negative.")
        try expect(
            read <= written && written - read <= Int64(capacity),
            "The ring holds \(written - read) frames; its capacity is \(capacity).")
    }
}
