public import CGlassesPlugin
import Glibc

/// One video ring of the host, seen from the plugin: a camera's own thread writes frames into it, without locks.
///
/// Valid from ``CameraPlugin/startCamera(_:configuration:ring:)`` until the completion of the stop, or until the plugin has
/// reported that the stream stopped.
public struct VideoRing: @unchecked Sendable {
    // because the header's functions synchronise one writer and one reader by atomics; nothing else is mutable.
    /// The ring in shared memory, owned by the host.
    public let pointer: UnsafeMutablePointer<glasses_video_ring>
    /// Bytes that a frame may take.
    public let slotBytes: UInt32

    /// The ring at `pointer`, whose constants are copied once.
    public init(_ pointer: UnsafeMutablePointer<glasses_video_ring>) {
        self.pointer = pointer
        slotBytes = pointer.pointee.slot_bytes
    }

    /// Writes one frame: `fill` gets the slot's bytes and returns what it wrote, or nil for nothing.
    ///
    /// False when there was no frame, or no slot for it because the host reads all of them, which is counted. Allocates
    /// nothing and never waits. The camera's thread only.
    @discardableResult
    public func write(_ fill: (UnsafeMutableRawBufferPointer) -> glasses_frame?) -> Bool {
        let slot = glasses_video_ring_begin(pointer)
        guard slot >= 0 else { return false }
        let bytes = UnsafeMutableRawBufferPointer(
            start: glasses_video_ring_data(pointer, slotBytes, UInt32(slot)), count: Int(slotBytes))
        guard var frame = fill(bytes) else {
            glasses_video_ring_abandon(pointer, UInt32(slot))
            return false
        }
        glasses_video_ring_commit(pointer, UInt32(slot), &frame)
        signal()
        return true
    }

    /// Frames that the host did not get, so far. [any]
    public var droppedFrames: Int64 { glasses_ring_load(&pointer.pointee.dropped) }

    /// Wakes the host's reader. Never blocks: a full counter already wakes it.
    private func signal() {
        var one: UInt64 = 1
        while Glibc.write(pointer.pointee.wake_fd, &one, MemoryLayout<UInt64>.size) < 0 && errno == EINTR {}
    }
}
