import GlassesDomain

/// Takes the fields of one JSON object one by one; what nobody took is `extra`.
struct ObjectReader {
    /// The object as it came.
    let members: [String: JSONValue]
    /// The fields that were not taken, or had the wrong kind in lenient mode.
    private(set) var extra: [String: JSONValue]
    let context: DecodingContext

    init(_ value: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard case .object(let members) = value else { throw context.wrongType(expected: "an object") }
        self.init(members, in: context)
    }

    init(_ members: [String: JSONValue], in context: DecodingContext) {
        self.members = members
        self.extra = members
        self.context = context
    }

    /// The field as it came, so that nothing is taken: for discriminators that are read before the real decoder.
    func peek(_ key: String) -> String? { members[key]?.stringValue }

    /// Drops a field that carries no information, such as `object`.
    mutating func discard(_ key: String) { extra[key] = nil }

    /// The field, or nil when it is absent or null.
    mutating func take<T: WireValue>(_ key: String, as type: T.Type = T.self) throws(RealtimeCodecError) -> T? {
        switch try update(key, as: type) {
        case .keep, .clear: return nil
        case .set(let value): return value
        }
    }

    /// The field with the difference between absent and null.
    mutating func update<T: WireValue>(
        _ key: String, as type: T.Type = T.self
    ) throws(RealtimeCodecError) -> FieldUpdate<T> {
        guard let value = extra[key] else { return .keep }
        if value.isNull {
            extra[key] = nil
            return .clear
        }
        do {
            let decoded = try T(wire: value, in: context.child(key))
            extra[key] = nil
            return .set(decoded)
        } catch {
            // A lenient reader leaves the field among the extra ones: seen, kept, not understood.
            guard context.mode == .lenient else { throw error }
            return .keep
        }
    }

    /// The field; when it is missing a strict reader throws and a lenient one gives `neutral`.
    mutating func require<T: WireValue>(_ key: String, or neutral: T) throws(RealtimeCodecError) -> T {
        if let value = try take(key, as: T.self) { return value }
        guard context.mode == .lenient else { throw context.child(key).missing }
        return neutral
    }

    /// The bytes of a base64 field, or nil when it is absent or null.
    mutating func takeAudio(_ key: String) throws(RealtimeCodecError) -> [UInt8]? {
        try take(key, as: Base64Bytes.self)?.bytes
    }
}
