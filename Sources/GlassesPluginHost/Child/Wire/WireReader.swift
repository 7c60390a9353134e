/// Reads the fields of a message that a stranger wrote: nothing in it is believed, and nothing outside it is read.
struct WireReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(WireError) -> Number {
        let size = Number.bitWidth / 8
        guard bytes.count - position >= size else { throw .truncated }
        var value = Number.zero
        withUnsafeMutableBytes(of: &value) { target in
            for index in 0..<size { target[index] = bytes[position + index] }
        }
        position += size
        return Number(littleEndian: value)
    }

    mutating func double() throws(WireError) -> Double { Double(bitPattern: try number(UInt64.self)) }

    mutating func flag(_ field: String) throws(WireError) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .wrongValue(field: field)
        }
    }

    /// A text that has to be UTF-8 of at most `limit` bytes.
    mutating func text(_ field: String, limit: Int = CText.messageLimit) throws(WireError) -> String {
        let raw = try blob()
        guard raw.count <= limit, let text = String(validating: raw, as: UTF8.self) else {
            throw .wrongValue(field: field)
        }
        return text
    }

    mutating func optionalText(_ field: String) throws(WireError) -> String? {
        try flag(field) ? try text(field) : nil
    }

    /// A text as the plugin handed it over, of whatever encoding.
    mutating func pluginText(_ field: String) throws(WireError) -> CText {
        let isTooLong = try flag(field)
        let raw = try blob()
        guard raw.count <= CText.messageLimit else { throw .wrongValue(field: field) }
        return CText(bytes: Array(raw), isTooLong: isTooLong)
    }

    mutating func optionalPluginText(_ field: String) throws(WireError) -> CText? {
        try flag(field) ? try pluginText(field) : nil
    }

    /// Bytes of any kind, at most `limit`.
    mutating func bytes(limit: Int) throws(WireError) -> [UInt8] {
        let raw = try blob()
        guard raw.count <= limit else { throw .tooLong(raw.count) }
        return Array(raw)
    }

    mutating func samples() throws(WireError) -> [Int16] {
        let count = Int(try number(UInt32.self))
        guard (bytes.count - position) / 2 >= count else { throw .truncated }
        let start = position
        position += count * 2
        return [Int16](unsafeUninitializedCapacity: count) { target, filled in
            bytes[start..<start + count * 2].withUnsafeBytes {
                UnsafeMutableRawBufferPointer(target).copyMemory(from: $0)
            }
            filled = count
        }
    }

    /// The message has to end here.
    func end() throws(WireError) {
        guard position == bytes.count else { throw .trailing(bytes.count - position) }
    }

    private mutating func blob() throws(WireError) -> ArraySlice<UInt8> {
        let count = Int(try number(UInt32.self))
        guard bytes.count - position >= count else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
