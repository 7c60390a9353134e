import CGlassesPlugin
import CShims

/// A video ring as the host makes it, in watched memory.
final class VideoRingUnderTest {
    let pointer: UnsafeMutablePointer<glasses_video_ring>
    let slotBytes: UInt32
    let wake: Int32
    let memory: WatchedMemory

    /// A ring whose slots hold a picture of that size in any format.
    init(width: Int, height: Int) throws(CaseEnd) {
        // Two bytes a pixel, and rows that a camera may pad to a cache line.
        slotBytes = UInt32((width + 64) * (height + 2) * 2 + 63) & ~63
        memory = try WatchedMemory(glasses_video_ring_bytes(slotBytes))
        wake = cshims_eventfd()
        guard wake >= 0 else { throw .skipped("the system gave no eventfd") }
        pointer = memory.start.bindMemory(to: glasses_video_ring.self, capacity: 1)
        pointer.pointee.size = UInt32(MemoryLayout<glasses_video_ring>.size)
        pointer.pointee.slot_count = GLASSES_VIDEO_SLOTS
        pointer.pointee.slot_bytes = slotBytes
        pointer.pointee.wake_fd = wake
    }

    var written: Int64 { glasses_ring_load(&pointer.pointee.written) }
    var dropped: Int64 { glasses_ring_load(&pointer.pointee.dropped) }

    /// The oldest frame, which stays taken until it is released; nil when there is none.
    func take() -> (slot: UInt32, frame: glasses_frame)? {
        var frame = glasses_frame()
        let slot = glasses_video_ring_take(pointer, &frame)
        return slot < 0 ? nil : (UInt32(slot), frame)
    }

    /// Gives a slot back.
    func release(_ slot: UInt32) { glasses_video_ring_release(pointer, slot) }

    /// What a slot holds, as one number.
    func digest(of slot: UInt32) -> UInt64 {
        let bytes = UnsafeBufferPointer(start: glasses_video_ring_data(pointer, slotBytes, slot), count: Int(slotBytes))
        return bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }

    /// Fails when anything changed that is the host's alone.
    func checkBounds() throws(CaseEnd) {
        let ring = pointer.pointee
        try expect(
            ring.size == UInt32(MemoryLayout<glasses_video_ring>.size) && ring.slot_count == GLASSES_VIDEO_SLOTS
                && ring.slot_bytes == slotBytes && ring.wake_fd == wake,
            "The plugin changed a field of glasses_video_ring that only the host may set.")
        try expect(memory.isWhole, "The plugin wrote behind the last slot of the ring.")
    }
}
