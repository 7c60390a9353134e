import Foundation

/// The fields of a message's header, read with their types.
struct LinkFields {
    /// A value of a field that this version does not know: the message is skipped.
    struct UnknownValue: Error {}

    private let members: [String: LinkJSON]
    /// The bytes behind the header.
    let payload: Data

    init(_ members: [String: LinkJSON], payload: Data) {
        self.members = members
        self.payload = payload
    }

    private static func failure(_ key: String) -> LinkCodecError {
        LinkCodecError(.malformed, "The field \"\(key)\" is missing or has another type.")
    }

    func text(_ key: String) throws(LinkCodecError) -> String {
        guard case .string(let value)? = members[key] else { throw Self.failure(key) }
        return value
    }

    /// An absent text is empty.
    func optionalText(_ key: String) throws(LinkCodecError) -> String {
        members[key] == nil || members[key] == .null ? "" : try text(key)
    }

    func flag(_ key: String, default value: Bool? = nil) throws(LinkCodecError) -> Bool {
        if let value, members[key] == nil { return value }
        guard case .bool(let value)? = members[key] else { throw Self.failure(key) }
        return value
    }

    func identifier(_ key: String) throws(LinkCodecError) -> UInt64 {
        guard case .integer(let value)? = members[key], (0..<LinkLimits.integer).contains(value) else {
            throw Self.failure(key)
        }
        return UInt64(value)
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(LinkCodecError) -> Int {
        guard case .integer(let value)? = members[key], let value = Int(exactly: value), range.contains(value) else {
            throw Self.failure(key)
        }
        return value
    }

    func optionalInteger(_ key: String, in range: ClosedRange<Int>) throws(LinkCodecError) -> Int? {
        members[key] == nil || members[key] == .null ? nil : try integer(key, in: range)
    }

    func integers(_ key: String) throws(LinkCodecError) -> [Int] {
        guard case .array(let elements)? = members[key] else { throw Self.failure(key) }
        return try elements.map { (element) throws(LinkCodecError) in
            guard case .integer(let value) = element, let value = Int(exactly: value) else { throw Self.failure(key) }
            return value
        }
    }

    /// A value that the receiver has to know: an unknown one makes the message unknown.
    func choice<Value: RawRepresentable>(_ key: String) throws -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: try text(key)) else { throw UnknownValue() }
        return value
    }

    /// A value for which there is one that says "not known".
    func choice<Value: RawRepresentable>(
        _ key: String, unknown: Value
    ) throws(LinkCodecError) -> Value where Value.RawValue == String {
        Value(rawValue: try text(key)) ?? unknown
    }

    func object(_ key: String) throws(LinkCodecError) -> LinkFields {
        guard case .object(let members)? = members[key] else { throw Self.failure(key) }
        return LinkFields(members, payload: Data())
    }

    func optionalObject(_ key: String) throws(LinkCodecError) -> LinkFields? {
        members[key] == nil || members[key] == .null ? nil : try object(key)
    }

    func objects(_ key: String) throws(LinkCodecError) -> [LinkFields] {
        guard case .array(let elements)? = members[key] else { throw Self.failure(key) }
        return try elements.map { (element) throws(LinkCodecError) in
            guard case .object(let members) = element else { throw Self.failure(key) }
            return LinkFields(members, payload: Data())
        }
    }
}
