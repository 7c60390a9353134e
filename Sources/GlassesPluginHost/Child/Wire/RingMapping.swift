import CGlassesPlugin
import CShims
import Glibc

/// The child's view of a host's audio ring: its memory, with this process's numbers for the eventfds in the header.
final class RingMapping: @unchecked Sendable {
    // because the header's functions synchronise one writer and one reader by atomics
    let pointer: UnsafeMutablePointer<glasses_ring>
    private let descriptors: [Int32]
    private let bytes: Int

    /// Takes over the ring's three descriptors: memory, wake and kick. Throws, and closes them, when the memory is not what
    /// the message says.
    init(_ shape: RingShape, descriptors: [Int32]) throws(WireError) {
        bytes = glasses_ring_bytes(shape.capacity)
        guard descriptors.count == 3, let raw = SealedMemory.mapSealed(descriptors[0], bytes: bytes) else {
            for descriptor in descriptors { close(descriptor) }
            throw .wrongDescriptors
        }
        self.descriptors = descriptors
        pointer = raw.bindMemory(to: glasses_ring.self, capacity: 1)
        pointer.pointee.wake_fd = descriptors[1]
        pointer.pointee.kick_fd = descriptors[2]
    }

    deinit {
        munmap(pointer, bytes)
        for descriptor in descriptors { close(descriptor) }
    }
}

/// The child's view of a host's video ring: its memory, with this process's number for the eventfd in the header.
final class VideoRingMapping: @unchecked Sendable {
    // because the header's functions synchronise one writer and one reader by atomics
    let pointer: UnsafeMutablePointer<glasses_video_ring>
    private let descriptors: [Int32]
    private let bytes: Int

    /// Takes over the ring's two descriptors: memory and wake. Throws, and closes them, when the memory is not what the
    /// message says.
    init(slotBytes: UInt32, descriptors: [Int32]) throws(WireError) {
        bytes = glasses_video_ring_bytes(slotBytes)
        guard descriptors.count == 2, let raw = SealedMemory.mapSealed(descriptors[0], bytes: bytes) else {
            for descriptor in descriptors { close(descriptor) }
            throw .wrongDescriptors
        }
        self.descriptors = descriptors
        pointer = raw.bindMemory(to: glasses_video_ring.self, capacity: 1)
        pointer.pointee.wake_fd = descriptors[1]
    }

    deinit {
        munmap(pointer, bytes)
        for descriptor in descriptors { close(descriptor) }
    }
}
