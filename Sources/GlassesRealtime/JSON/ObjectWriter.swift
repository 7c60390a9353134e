import GlassesDomain

/// Collects the fields of one JSON object.
struct ObjectWriter {
    private var members: [String: JSONValue]

    /// Starts with fields that give way to those written later.
    init(extra: [String: JSONValue] = [:]) { members = extra }

    var value: JSONValue { .object(members) }

    /// Writes a field; nil leaves it out.
    mutating func set<T: WireValue>(_ key: String, _ value: T?) {
        if let value { members[key] = value.wire }
    }

    /// Writes a field whose absence is said with null.
    mutating func setNullable<T: WireValue>(_ key: String, _ value: T?) { members[key] = value?.wire ?? .null }

    /// Writes a partial field: absent, null or a value.
    mutating func set<T: WireValue>(_ key: String, _ update: FieldUpdate<T>) {
        switch update {
        case .keep: break
        case .clear: members[key] = .null
        case .set(let value): members[key] = value.wire
        }
    }

    /// Writes bytes as base64; nil leaves the field out.
    mutating func setAudio(_ key: String, _ bytes: [UInt8]?) { set(key, bytes.map(Base64Bytes.init)) }

    /// Writes fields that give way to those already written.
    mutating func merge(_ extra: [String: JSONValue]) { members.merge(extra) { known, _ in known } }
}
