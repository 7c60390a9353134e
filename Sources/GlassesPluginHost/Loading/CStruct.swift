/// Reads the growable structs that a plugin hands over.
enum CStruct {
    /// A copy of the struct at `pointer`; nil when it is smaller than this version of it, or when one of its function
    /// pointers, which fill it from `firstFunction` on, is null. C does not enforce either.
    static func copy<T>(_ pointer: UnsafeRawPointer, as type: T.Type, firstFunction: Int) -> T? {
        guard pointer.load(as: UInt32.self) >= UInt32(MemoryLayout<T>.size) else { return nil }
        for offset in stride(from: firstFunction, to: MemoryLayout<T>.size, by: MemoryLayout<UInt>.size) {
            guard pointer.load(fromByteOffset: offset, as: UInt.self) != 0 else { return nil }
        }
        return pointer.load(as: type)
    }
}
