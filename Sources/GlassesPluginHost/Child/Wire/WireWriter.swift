/// Writes the fields of a message, in little-endian order and without padding.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ number: Double) { put(number.bitPattern) }

    mutating func put(_ flag: Bool) { put(UInt8(flag ? 1 : 0)) }

    /// A text of this side's own.
    mutating func put(_ text: String) {
        put(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ text: String?) {
        put(text != nil)
        if let text { put(text) }
    }

    /// A text as a plugin handed it over: it is judged on the other side.
    mutating func put(_ text: CText) {
        put(text.isTooLong)
        put(UInt32(text.bytes.count))
        bytes.append(contentsOf: text.bytes)
    }

    mutating func put(_ text: CText?) {
        put(text != nil)
        if let text { put(text) }
    }

    mutating func put(_ raw: [UInt8]) {
        put(UInt32(raw.count))
        bytes.append(contentsOf: raw)
    }

    mutating func put(_ samples: [Int16]) {
        put(UInt32(samples.count))
        samples.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}
