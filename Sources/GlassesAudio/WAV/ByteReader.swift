/// Reads little-endian numbers from bytes that may end anywhere.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }

    /// The next `count` bytes, or as many as there are.
    mutating func take(atMost count: Int) -> ArraySlice<UInt8> {
        let end = position + min(max(count, 0), remaining)
        defer { position = end }
        return bytes[position..<end]
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) throws(AudioFormatError) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw .wavTruncated }
        return take(atMost: count)
    }

    mutating func uint16() throws(AudioFormatError) -> UInt16 { UInt16(truncatingIfNeeded: try number(bytes: 2)) }
    mutating func uint32() throws(AudioFormatError) -> UInt32 { UInt32(truncatingIfNeeded: try number(bytes: 4)) }

    mutating func uint64() throws(AudioFormatError) -> UInt64 { try number(bytes: 8) }

    private mutating func number(bytes count: Int) throws(AudioFormatError) -> UInt64 {
        try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
