import CGlassesPlugin
import CShims
import Glibc

/// One video ring in sealed shared memory, and its eventfd, owned by the host.
///
/// The plugin writes into the same memory, in this process or in a child, so nothing in it is believed: the size of a slot
/// is the host's own copy, and what a frame says of itself is copied once and checked.
final class VideoRingMemory: @unchecked Sendable {
    // because the header's functions synchronise one writer and one reader by atomics
    let pointer: UnsafeMutablePointer<glasses_video_ring>
    /// Bytes that a frame may take.
    let slotBytes: UInt32
    /// Signalled by the plugin.
    let wakeDescriptor: Int32
    /// The memory, for a child.
    let memoryDescriptor: Int32

    /// What the ring had.
    enum Next {
        case none
        case frame(glasses_frame, [UInt8])
        /// A frame that lies about itself.
        case broken
    }

    /// A ring for frames of at most `slotBytes`; nil when memory or descriptors are used up.
    init?(slotBytes: UInt32) {
        let (wake, memory) = (cshims_eventfd(), cshims_memory_file("glasses-video"))
        guard wake >= 0, memory >= 0,
            let raw = SealedMemory.map(memory, bytes: glasses_video_ring_bytes(slotBytes))
        else {
            for descriptor in [wake, memory] where descriptor >= 0 { Glibc.close(descriptor) }
            return nil
        }
        pointer = raw.bindMemory(to: glasses_video_ring.self, capacity: 1)
        self.slotBytes = slotBytes
        wakeDescriptor = wake
        memoryDescriptor = memory
        writeHeader()
    }

    deinit {
        munmap(pointer, glasses_video_ring_bytes(slotBytes))
        for descriptor in [wakeDescriptor, memoryDescriptor] { Glibc.close(descriptor) }
    }

    private func writeHeader() {
        pointer.pointee.size = UInt32(MemoryLayout<glasses_video_ring>.size)
        pointer.pointee.slot_count = GLASSES_VIDEO_SLOTS
        pointer.pointee.slot_bytes = slotBytes
        pointer.pointee.wake_fd = wakeDescriptor
    }

    /// Begins the ring anew for a plugin that was started again. Only while no plugin uses it.
    func restart() {
        memset(pointer, 0, MemoryLayout<glasses_video_ring>.size)
        writeHeader()
        _ = cshims_eventfd_drain(wakeDescriptor)
    }

    /// Leaves the memory to the plugin for good: one that did not answer its stop may still write there.
    func abandon() { _ = Unmanaged.passRetained(self) }

    /// Takes the oldest frame out, with one copy of its bytes. The reader's thread only.
    func next() -> Next {
        var frame = glasses_frame()
        let slot = glasses_video_ring_take(pointer, &frame)
        guard slot >= 0 else { return .none }
        defer { glasses_video_ring_release(pointer, UInt32(slot)) }
        guard glasses_frame_is_valid(&frame, slotBytes) != 0 else { return .broken }
        let start = glasses_video_ring_data(pointer, slotBytes, UInt32(slot))
        return .frame(frame, Array(UnsafeBufferPointer(start: start, count: Int(frame.bytes))))
    }

    /// Frames that the plugin stored in vain.
    var dropped: Int64 { glasses_ring_load(&pointer.pointee.dropped) }
}

extension VideoRingMemory {
    /// Does to the header what a plugin can do: anything.
    func overwriteHead(with bytes: [UInt8]) {
        let head = UnsafeMutableRawBufferPointer(start: pointer, count: MemoryLayout<glasses_video_ring>.size)
        for (index, byte) in bytes.prefix(head.count).enumerated() { head[index] = byte }
    }

    /// The largest frame of a mode: rows padded to 64 bytes, as capture hardware likes them, and 4 KiB for headers of files.
    static func slotBytes(for mode: CameraModeSize) -> UInt32 {
        let row = (UInt64(mode.width) + 63) & ~63
        let pixels = row * UInt64(mode.height)
        let bytes = mode.hasTwoBytesAPixel ? pixels * 2 : pixels * 3 / 2
        return UInt32((bytes + 4_096 + 63) & ~63)
    }

    /// What the size of a frame depends on; the sides are at most `GLASSES_VIDEO_SIDE_MAX`.
    struct CameraModeSize: Sendable, Hashable {
        var width: Int
        var height: Int
        var hasTwoBytesAPixel: Bool
    }
}
