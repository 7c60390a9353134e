import CGlassesPlugin
import CShims
import Glibc
import GlassesPluginKit

/// A video ring as a host would hand it over, and what is in it.
final class TestVideoRing: @unchecked Sendable {
    // because the header's functions synchronise one writer and one reader by atomics
    let pointer: UnsafeMutablePointer<glasses_video_ring>
    private let bytes: Int

    init(slotBytes: UInt32) {
        bytes = glasses_video_ring_bytes(slotBytes)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        memset(memory, 0, bytes)
        pointer = memory.bindMemory(to: glasses_video_ring.self, capacity: 1)
        pointer.pointee.size = UInt32(MemoryLayout<glasses_video_ring>.size)
        pointer.pointee.slot_count = GLASSES_VIDEO_SLOTS
        pointer.pointee.slot_bytes = slotBytes
        pointer.pointee.wake_fd = cshims_eventfd()
    }

    deinit {
        close(pointer.pointee.wake_fd)
        pointer.deallocate()
    }

    var ring: VideoRing { VideoRing(pointer) }

    /// The oldest frame; nil when there is none.
    func take() -> glasses_frame? {
        var frame = glasses_frame()
        let slot = glasses_video_ring_take(pointer, &frame)
        guard slot >= 0 else { return nil }
        glasses_video_ring_release(pointer, UInt32(slot))
        return frame
    }
}
