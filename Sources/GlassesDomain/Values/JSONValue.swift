/// Any JSON value, with integers kept apart from other numbers.
///
/// Object keys are unordered. Two values are equal when they have the same case and content: `.int(1)` differs from `.double(1)`.
public enum JSONValue: Sendable, Hashable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case int(Int64)
    case double(Double)
    case bool(Bool)
    case null
}

extension JSONValue {
    /// The member `key` of an object; nil for an absent member and for every other kind of value.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The text of a string; nil for every other kind of value.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The integer, also of a double without a fraction that fits; nil for every other value.
    public var intValue: Int64? {
        switch self {
        case .int(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The number as a double; nil for values that are not numbers.
    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The Boolean; nil for every other kind of value.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements of an array; nil for every other kind of value.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members of an object; nil for every other kind of value.
    public var objectValue: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// Whether this is JSON `null`.
    public var isNull: Bool { self == .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; of a key given twice the last value holds.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}
