/// Why a text is not JSON.
public struct JSONTextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The byte offset at which reading stopped.
    public let offset: Int
    /// What was wrong there, without quoting the text.
    public let reason: String

    /// A sentence for a person; it never quotes the text.
    public var description: String { "not valid JSON at byte \(offset): \(reason)" }
}

/// Reads RFC 8259 JSON from bytes without recursion deeper than ``maximumDepth``.
struct JSONTextParser {
    /// Deeper nesting than any wire event or tool schema has, and shallow enough for every thread's stack.
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func parseDocument() throws(JSONTextError) -> JSONValue {
        let value = try parseValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw failure("text after the value") }
        return value
    }

    private func failure(_ reason: String) -> JSONTextError { JSONTextError(offset: position, reason: reason) }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func parseValue(depth: Int) throws(JSONTextError) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw failure("nested too deeply") }
        skipSpace()
        guard position < bytes.count else { throw failure("the text ends early") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try parseObject(depth: depth)
        case UInt8(ascii: "["): return try parseArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        default: return try parseNumber()
        }
    }

    private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws(JSONTextError) -> JSONValue {
        let count = word.utf8CodeUnitCount
        let matches =
            position + count <= bytes.count
            && (0..<count).allSatisfy { bytes[position + $0] == word.utf8Start[$0] }
        guard matches else { throw failure("unknown word") }
        position += count
        return value
    }

    private mutating func parseObject(depth: Int) throws(JSONTextError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        position += 1
        skipSpace()
        if consume("}") { return .object(members) }
        while true {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw failure("expected a key") }
            let key = try parseString()
            skipSpace()
            guard consume(":") else { throw failure("expected ':'") }
            members[key] = try parseValue(depth: depth + 1)
            skipSpace()
            if consume(",") { continue }
            if consume("}") { return .object(members) }
            throw failure("expected ',' or '}'")
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONTextError) -> JSONValue {
        var elements: [JSONValue] = []
        position += 1
        skipSpace()
        if consume("]") { return .array(elements) }
        while true {
            elements.append(try parseValue(depth: depth + 1))
            skipSpace()
            if consume(",") { continue }
            if consume("]") { return .array(elements) }
            throw failure("expected ',' or ']'")
        }
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func parseString() throws(JSONTextError) -> String {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\") {
            guard bytes[position] >= 0x20 else { throw failure("control character in a string") }
            position += 1
        }
        var out = Array(bytes[start..<position])
        while true {
            guard position < bytes.count else { throw failure("a string does not end") }
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") { break }
            guard byte >= 0x20 else { throw failure("control character in a string") }
            position += 1
            if byte == UInt8(ascii: "\\") { try parseEscape(into: &out) } else { out.append(byte) }
        }
        position += 1
        guard let text = String(validating: out, as: UTF8.self) else { throw failure("a string is not UTF-8") }
        return text
    }

    private mutating func parseEscape(into out: inout [UInt8]) throws(JSONTextError) {
        guard position < bytes.count else { throw failure("a string does not end") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"): out.append(contentsOf: String(try parseUnicodeEscape()).utf8)
        default: throw failure("unknown escape")
        }
    }

    /// A lone surrogate becomes U+FFFD, as in other tolerant readers: a peer's bad escape must not end a session.
    private mutating func parseUnicodeEscape() throws(JSONTextError) -> Character {
        let high = try parseHex()
        if let scalar = Unicode.Scalar(high) { return Character(scalar) }
        guard high < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let rewind = position
        position += 2
        let low = try parseHex()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else {
            position = rewind
            return "\u{FFFD}"
        }
        return Character(scalar)
    }

    private mutating func parseHex() throws(JSONTextError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw failure("short \\u escape") }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw failure("bad \\u escape")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private mutating func parseNumber() throws(JSONTextError) -> JSONValue {
        let start = position
        _ = consume("-")
        let digits = skipDigits()
        guard digits > 0, digits == 1 || bytes[position - digits] != UInt8(ascii: "0") else {
            throw failure("not a value")
        }
        var isInteger = true
        if consume(".") {
            isInteger = false
            guard skipDigits() > 0 else { throw failure("a number ends early") }
        }
        if consume("e") || consume("E") {
            isInteger = false
            if !consume("+") { _ = consume("-") }
            guard skipDigits() > 0 else { throw failure("a number ends early") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else { throw failure("a number is out of range") }
        return .double(value)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position - start
    }
}

/// Writes compact JSON with sorted keys.
enum JSONTextWriter {
    static func append(_ value: JSONValue, to out: inout [UInt8]) {
        switch value {
        case .null: out.append(contentsOf: "null".utf8)
        case .bool(let value): out.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): out.append(contentsOf: String(value).utf8)
        case .double(let value): out.append(contentsOf: (value.isFinite ? String(value) : "null").utf8)
        case .string(let value): append(value, to: &out)
        case .array(let values):
            out.append(UInt8(ascii: "["))
            for (index, element) in values.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                append(element, to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, key) in members.keys.sorted().enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                append(key, to: &out)
                out.append(UInt8(ascii: ":"))
                append(members[key] ?? .null, to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    static func append(_ text: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): out.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): out.append(contentsOf: "\\\\".utf8)
            case 0x0A: out.append(contentsOf: "\\n".utf8)
            case 0x0D: out.append(contentsOf: "\\r".utf8)
            case 0x09: out.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                out.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8)
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
