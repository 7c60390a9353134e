/// A JSON value of a message's header, with integers kept apart from other numbers.
package enum LinkJSON: Sendable, Hashable {
    case object([String: LinkJSON])
    case array([LinkJSON])
    case string(String)
    case integer(Int64)
    case number(Double)
    case bool(Bool)
    case null

    /// Reads a value. Throws ``LinkCodecError`` for bytes that are no JSON.
    package static func read(_ bytes: [UInt8]) throws(LinkCodecError) -> LinkJSON { try LinkJSONReader.read(bytes) }

    /// The value as compact UTF-8 JSON with sorted keys, so that equal values are equal bytes.
    package var bytes: [UInt8] {
        var writer = LinkJSONWriter()
        writer.append(self)
        return writer.bytes
    }
}

/// Writes compact JSON.
private struct LinkJSONWriter {
    var bytes: [UInt8] = []

    mutating func append(_ value: LinkJSON) {
        switch value {
        case .object(let members): append(members)
        case .array(let elements): append(elements)
        case .string(let text): append(text)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .number(let value): bytes.append(contentsOf: (value.isFinite ? String(value) : "null").utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .null: bytes.append(contentsOf: "null".utf8)
        }
    }

    private mutating func append(_ members: [String: LinkJSON]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(member.key)
            bytes.append(UInt8(ascii: ":"))
            append(member.value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func append(_ elements: [LinkJSON]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
