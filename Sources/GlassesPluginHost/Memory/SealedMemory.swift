import CShims
import Glibc

/// Memory in a file of its own that a child may map too.
enum SealedMemory {
    /// Maps `memory` with a size that is set for good, so that nobody can shrink it under the host's feet; nil when memory is
    /// used up.
    static func map(_ memory: Int32, bytes: Int) -> UnsafeMutableRawPointer? {
        guard ftruncate(memory, off_t(bytes)) == 0, cshims_seal(memory, 0) == 0 else { return nil }
        return mapped(memory, bytes)
    }

    /// Maps memory that somebody else has sealed; nil when it is not of exactly that size, or could still change it.
    static func mapSealed(_ memory: Int32, bytes: Int) -> UnsafeMutableRawPointer? {
        var facts = stat()
        guard cshims_is_sealed(memory, 0) != 0, fstat(memory, &facts) == 0, facts.st_size == off_t(bytes) else {
            return nil
        }
        return mapped(memory, bytes)
    }

    private static func mapped(_ memory: Int32, _ bytes: Int) -> UnsafeMutableRawPointer? {
        let raw = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        return raw == MAP_FAILED ? nil : raw
    }
}
