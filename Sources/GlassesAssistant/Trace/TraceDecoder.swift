import GlassesDomain

/// Reads what ``TraceEncoder`` wrote.
struct TraceDecoder {
    static func value<T: Decodable>(_ type: T.Type, of json: JSONValue) throws -> T {
        try value(type, of: json, at: [])
    }

    private static func value<T: Decodable>(_ type: T.Type, of json: JSONValue, at path: [any CodingKey]) throws -> T {
        if TraceEncoder.isLeaf(type) {
            if let leaf = leaf(type, of: json) as? T { return leaf }
            let context = DecodingError.Context(codingPath: path, debugDescription: "expected \(type)")
            throw DecodingError.typeMismatch(type, context)
        }
        return try T(from: Node(json: json, codingPath: path))
    }

    private static func leaf(_ type: Any.Type, of json: JSONValue) -> Any? {
        switch type {
        case is JSONValue.Type: json
        case is String.Type: json.stringValue
        case is Bool.Type: json.boolValue
        case is Duration.Type: json.intValue.map { Duration.nanoseconds($0) }
        case is Double.Type: json.doubleValue
        case is UInt64.Type: json.intValue.flatMap { UInt64(exactly: $0) } ?? json.stringValue.flatMap { UInt64($0) }
        case let type as any BinaryInteger.Type: json.intValue.flatMap { integer(type, $0) }
        default: nil
        }
    }

    private static func integer<T: BinaryInteger>(_ type: T.Type, _ value: Int64) -> Any? { T(exactly: value) }

    private struct Node: Decoder {
        let json: JSONValue
        let codingPath: [any CodingKey]
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            guard case .object(let members) = json else { throw mismatch("an object") }
            return KeyedDecodingContainer(Members(members: members, codingPath: codingPath))
        }
        func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
            guard case .array(let elements) = json else { throw mismatch("a list") }
            return Elements(elements: elements, codingPath: codingPath)
        }
        func singleValueContainer() -> any SingleValueDecodingContainer { Single(node: self) }

        private func mismatch(_ wanted: String) -> DecodingError {
            .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(wanted)"))
        }
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [String: JSONValue]
        let codingPath: [any CodingKey]
        var allKeys: [Key] { members.keys.sorted().compactMap(Key.init(stringValue:)) }

        private func member(_ key: any CodingKey) throws -> Node {
            guard let json = members[key.stringValue] else {
                let context = DecodingError.Context(codingPath: codingPath, debugDescription: "a member is missing")
                throw DecodingError.keyNotFound(key, context)
            }
            return Node(json: json, codingPath: codingPath + [key])
        }
        func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try member(key).json.isNull }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            let member = try member(key)
            return try TraceDecoder.value(type, of: member.json, at: member.codingPath)
        }
        func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Inner> { try member(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try member(key).unkeyedContainer()
        }
        func superDecoder() -> any Decoder { Node(json: .object(members), codingPath: codingPath) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let elements: [JSONValue]
        let codingPath: [any CodingKey]
        var currentIndex = 0
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        init(elements: [JSONValue], codingPath: [any CodingKey]) {
            self.elements = elements
            self.codingPath = codingPath
        }

        private mutating func next() throws -> Node {
            guard !isAtEnd else {
                let context = DecodingError.Context(codingPath: codingPath, debugDescription: "an element is missing")
                throw DecodingError.dataCorrupted(context)
            }
            defer { currentIndex += 1 }
            return Node(json: elements[currentIndex], codingPath: codingPath)
        }
        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, elements[currentIndex].isNull else { return false }
            currentIndex += 1
            return true
        }
        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            try TraceDecoder.value(type, of: next().json, at: codingPath)
        }
        mutating func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type
        ) throws -> KeyedDecodingContainer<Inner> { try next().container(keyedBy: type) }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next().unkeyedContainer()
        }
        mutating func superDecoder() throws -> any Decoder { try next() }
    }

    private struct Single: SingleValueDecodingContainer {
        let node: Node
        var codingPath: [any CodingKey] { node.codingPath }

        func decodeNil() -> Bool { node.json.isNull }
        func decode<T: Decodable>(_ type: T.Type) throws -> T {
            try TraceDecoder.value(type, of: node.json, at: node.codingPath)
        }
    }
}
