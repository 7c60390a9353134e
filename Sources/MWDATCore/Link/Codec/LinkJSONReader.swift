/// Reads a header's JSON (RFC 8259). Stricter than it has to be where readers differ: a key given twice and half of a
/// surrogate pair are faults, so that no two ends take one header for two things.
struct LinkJSONReader {
    /// Headers nest four levels, the outermost object included; more than this is a peer that wants our stack.
    static let maximumDepth = 16

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func read(_ bytes: [UInt8]) throws(LinkCodecError) -> LinkJSON {
        var reader = LinkJSONReader(bytes)
        let value = try reader.value(depth: 1)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.failure }
        return value
    }

    private var failure: LinkCodecError {
        LinkCodecError(.malformed, "A header is no JSON at byte \(position).")
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(LinkCodecError) -> LinkJSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: String, _ value: LinkJSON) throws(LinkCodecError) -> LinkJSON {
        guard bytes[position...].starts(with: word.utf8) else { throw failure }
        position += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(LinkCodecError) -> LinkJSON {
        guard depth <= Self.maximumDepth else { throw failure }
        var members: [String: LinkJSON] = [:]
        position += 1
        skipSpace()
        if take("}") { return .object(members) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure }
            let key = try string()
            skipSpace()
            guard take(":") else { throw failure }
            guard members[key] == nil else { throw failure }
            members[key] = try value(depth: depth + 1)
            skipSpace()
            if take(",") { continue }
            guard take("}") else { throw failure }
            return .object(members)
        }
    }

    private mutating func array(depth: Int) throws(LinkCodecError) -> LinkJSON {
        guard depth <= Self.maximumDepth else { throw failure }
        var elements: [LinkJSON] = []
        position += 1
        skipSpace()
        if take("]") { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(",") { continue }
            guard take("]") else { throw failure }
            return .array(elements)
        }
    }

    private mutating func string() throws(LinkCodecError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next, byte >= 0x20 {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw failure }
                return string
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape().utf8)
            default: text.append(byte)
            }
        }
        throw failure
    }

    private mutating func escape() throws(LinkCodecError) -> String {
        guard let byte = next else { throw failure }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(UnicodeScalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw failure
        }
    }

    private mutating func unicodeEscape() throws(LinkCodecError) -> String {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return String(scalar) }
        guard first < 0xDC00, take("\\"), take("u") else { throw failure }
        let second = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure }
        return String(scalar)
    }

    private mutating func hexadecimal() throws(LinkCodecError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw failure
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private mutating func number() throws(LinkCodecError) -> LinkJSON {
        let start = position
        _ = take("-")
        let leading = next
        let digits = skipDigits()
        guard digits > 0, digits == 1 || leading != UInt8(ascii: "0") else { throw failure }
        var isInteger = true
        if take(".") {
            isInteger = false
            guard skipDigits() > 0 else { throw failure }
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            guard skipDigits() > 0 else { throw failure }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw failure }
        return .number(value)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        return position - start
    }
}
