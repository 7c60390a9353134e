import Foundation

/// A JSON value, as it crosses the ABI in settings, descriptions, details and events.
///
/// The kit has its own type because plugins share no Swift code with the host: only text crosses. Numbers are doubles,
/// exact for integers up to 2^53.
public enum PluginJSON: Sendable, Hashable {
    case object([String: PluginJSON])
    case array([PluginJSON])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    /// Reads JSON text; throws `INVALID` with the code `invalid_json` for anything else.
    public init(text: String) throws(PluginFailure) {
        do {
            self = try JSONDecoder().decode(PluginJSON.self, from: Data(text.utf8))
        } catch {
            throw .invalid("invalid_json", "The text handed to the plugin is not valid JSON.")
        }
    }

    /// The compact text with keys in ascending order; a number that is not finite becomes `null`.
    public var text: String {
        var out = ""
        append(to: &out)
        return out
    }

    private func append(to out: inout String) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .number(let value): out += Self.text(of: value)
        case .string(let value): Self.append(value, to: &out)
        case .array(let values):
            out += "["
            for (index, value) in values.enumerated() {
                if index > 0 { out += "," }
                value.append(to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, key) in members.keys.sorted().enumerated() {
                if index > 0 { out += "," }
                Self.append(key, to: &out)
                out += ":"
                (members[key] ?? .null).append(to: &out)
            }
            out += "}"
        }
    }

    private static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        if let whole = Int64(exactly: number), abs(number) < 9_007_199_254_740_992 { return String(whole) }
        return String(number)
    }

    private static func append(_ text: String, to out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            default:
                if scalar.value < 0x20 {
                    let hex = String(scalar.value, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                } else {
                    out.unicodeScalars.append(scalar)
                }
            }
        }
        out += "\""
    }
}

extension PluginJSON: Decodable {
    /// Decodes in the order null, Boolean, number, string, array, object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = Self.attempt({ try container.decode(Bool.self) }) {
            self = .bool(value)
        } else if let value = Self.attempt({ try container.decode(Double.self) }) {
            self = .number(value)
        } else if let value = Self.attempt({ try container.decode(String.self) }) {
            self = .string(value)
        } else if let value = Self.attempt({ try container.decode([PluginJSON].self) }) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: PluginJSON].self))
        }
    }

    /// A failed attempt at one kind of value is not an error: the next kind is tried, and the last one throws.
    private static func attempt<T>(_ decode: () throws -> T) -> T? {
        do { return try decode() } catch { return nil }
    }
}

extension PluginJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: PluginJSON...) { self = .array(elements) }
    /// An object; of a key given twice the last value holds.
    public init(dictionaryLiteral elements: (String, PluginJSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}
