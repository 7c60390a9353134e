/// The fields of a JSON object that holds only plain strings and small whole numbers, found without building values.
///
/// Anything else (nesting, escapes, other characters than ASCII, fractions, literals, a key given twice) is left to the
/// general parser, so that the two can never disagree about a message.
struct FlatObject {
    enum Value: Equatable {
        /// The bytes between the quotes, by position.
        case text(Range<Int>)
        case number(Int)
    }

    private let bytes: [UInt8]
    private var position = 0
    private(set) var fields: [String: Value] = [:]

    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard readObject() else { return nil }
    }

    /// The text of a field; nil when it is absent or a number.
    func text(_ key: String) -> String? {
        guard case .text(let range) = fields[key] else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The number of a field, 0 when it is absent; nil when it is a text.
    func index(_ key: String) -> Int? {
        switch fields[key] {
        case .number(let value): value
        case .text: nil
        case nil: 0
        }
    }

    /// The decoded bytes of a base64 field; nil when it is absent, a number or no base64.
    func audio(_ key: String) -> [UInt8]? {
        guard case .text(let range) = fields[key] else { return nil }
        return Base64Bytes(text: bytes[range])?.bytes
    }

    private mutating func readObject() -> Bool {
        skipSpace()
        guard consume("{") else { return false }
        repeat {
            skipSpace()
            guard let key = readText() else { return false }
            skipSpace()
            guard consume(":") else { return false }
            skipSpace()
            guard let value = readValue(),
                fields.updateValue(value, forKey: String(decoding: bytes[key], as: UTF8.self)) == nil
            else { return false }
            skipSpace()
        } while consume(",")
        guard consume("}") else { return false }
        skipSpace()
        return position == bytes.count
    }

    private mutating func readValue() -> Value? {
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "\"") { return readText().map(Value.text) }
        return readNumber().map(Value.number)
    }

    private mutating func readText() -> Range<Int>? {
        guard consume("\"") else { return nil }
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return start..<(position - 1)
            }
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        return nil
    }

    /// At most nine digits, so that the value needs no check for overflow.
    private mutating func readNumber() -> Int? {
        let start = position
        var value = 0
        while position < bytes.count, position - start < 9, (0x30...0x39).contains(bytes[position]) {
            value = value * 10 + Int(bytes[position] - 0x30)
            position += 1
        }
        let digits = position - start
        guard digits > 0, digits == 1 || bytes[start] != 0x30 else { return nil }
        return value
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }
}
