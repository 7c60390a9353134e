import GlassesWebSocket

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// The fields in the order of the literal; a name may be repeated.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }
}

extension HTTPFields {
    /// Puts one field in the place of every one of the same name.
    mutating func set(_ name: String, _ value: String) {
        let others = all.filter { $0.name.lowercased() != name.lowercased() }
        self = HTTPFields(others.map { (name: $0.name, value: $0.value) })
        append(name: name, value: value)
    }

    /// Adds all fields of `others`.
    mutating func append(_ others: HTTPFields) {
        for field in others.all { append(name: field.name, value: field.value) }
    }
}
