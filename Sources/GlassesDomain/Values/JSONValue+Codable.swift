import Foundation

extension JSONValue: Codable {
    /// Decodes in the order null, Boolean, integer, double, string, array, object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = Self.attempt({ try container.decode(Bool.self) }) {
            self = .bool(value)
        } else if let value = Self.attempt({ try container.decode(Int64.self) }) {
            self = .int(value)
        } else if let value = Self.attempt({ try container.decode(Double.self) }) {
            self = .double(value)
        } else if let value = Self.attempt({ try container.decode(String.self) }) {
            self = .string(value)
        } else if let value = Self.attempt({ try container.decode([JSONValue].self) }) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// A failed attempt at one kind of value is not an error: the next kind is tried, and the last one throws.
    private static func attempt<T>(_ decode: () throws -> T) -> T? {
        do { return try decode() } catch { return nil }
    }

    /// Encodes the plain JSON value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }
}

extension JSONValue {
    /// Parses UTF-8 JSON text; throws ``JSONTextError`` for anything else. Depth is limited to 64 levels.
    public init(jsonText: some Sequence<UInt8>) throws(JSONTextError) {
        var parser = JSONTextParser(bytes: Array(jsonText))
        self = try parser.parseDocument()
    }

    /// Parses JSON text; throws ``JSONTextError`` for anything else.
    public init(jsonText: String) throws(JSONTextError) {
        try self.init(jsonText: jsonText.utf8)
    }

    /// The compact JSON text with object keys in ascending order, so that equal values give equal text.
    ///
    /// A double that is not finite has no JSON form and becomes `null`.
    public var jsonText: String {
        var out = [UInt8]()
        JSONTextWriter.append(self, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    /// This value read as `type` through its JSON form; throws `DecodingError` naming the wrong or missing field.
    public func decode<T: Decodable>(as type: T.Type) throws -> T {
        if let same = self as? T { return same }
        return try JSONDecoder().decode(type, from: Data(jsonText.utf8))
    }
}
