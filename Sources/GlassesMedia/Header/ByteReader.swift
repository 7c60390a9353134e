/// Reads numbers out of a stranger's file; beyond its end there is nil.
struct ByteReader {
    let bytes: ArraySlice<UInt8>

    /// A reader of a whole file.
    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// A reader of a part; offsets count from the part's beginning.
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    /// The part, or nil when it is not all there.
    func part(_ offset: Int, _ count: Int) -> ByteReader? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        let start = bytes.startIndex + offset
        return ByteReader(bytes[start..<(start + count)])
    }

    /// What follows.
    func rest(from offset: Int) -> ByteReader? { part(offset, count - offset) }

    /// An unsigned number of up to 8 bytes, the highest byte first.
    func big(_ offset: Int, _ count: Int) -> Int? {
        part(offset, count).flatMap { part in
            Int(exactly: part.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
    }

    /// An unsigned number of up to 7 bytes, the lowest byte first.
    func little(_ offset: Int, _ count: Int) -> Int? {
        part(offset, count).map { part in part.bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Whether these letters stand there.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard let part = part(offset, text.utf8CodeUnitCount) else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(part.bytes) }
    }
}
