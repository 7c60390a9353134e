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
        guard descriptors.count == 3, let raw = Self.map(descriptors[0], bytes) else {
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

    private static func map(_ memory: Int32, _ bytes: Int) -> UnsafeMutableRawPointer? {
        var facts = stat()
        guard cshims_is_sealed(memory, 0) != 0, fstat(memory, &facts) == 0, facts.st_size == off_t(bytes) else {
            return nil
        }
        let raw = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        return raw == MAP_FAILED ? nil : raw
    }
}
