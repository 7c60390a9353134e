import GlassesDomain

/// Writes values as JSON values, exactly: durations are whole nanoseconds, and integers that no JSON reader would keep are text.
struct TraceEncoder {
    /// Whether members that are nil are written as null; otherwise they are left out.
    var writesNil = false

    func json<T: Encodable>(of value: T) throws -> JSONValue {
        if Self.isLeaf(T.self), let leaf = Self.leaf(value) { return leaf }
        let box = Box()
        try value.encode(to: Node(box: box, writer: self, codingPath: []))
        return box.json
    }

    /// Types that are a JSON value by themselves; asked first, since asking for each in turn is slow.
    private static let leaves = Set(
        [
            JSONValue.self, String.self, Bool.self, Duration.self, Double.self, Int.self, Int64.self, Int32.self,
            UInt64.self, UInt32.self, UInt16.self, UInt8.self,
        ].map { (type: Any.Type) in ObjectIdentifier(type) })

    static func isLeaf(_ type: Any.Type) -> Bool { leaves.contains(ObjectIdentifier(type)) }

    private static func leaf(_ value: Any) -> JSONValue? {
        switch value {
        case let value as JSONValue: value
        case let value as String: .string(value)
        case let value as Bool: .bool(value)
        case let value as Duration: .int(value.wholeNanoseconds)
        case let value as UInt64: Int64(exactly: value).map(JSONValue.int) ?? .string(String(value))
        case let value as any BinaryInteger: .int(Int64(clamping: value))
        case let value as Double: .double(value)
        default: nil
        }
    }

    /// A value under construction.
    private final class Box {
        var leaf: JSONValue?
        var elements: [Box]?
        var members: [String: Box] = [:]

        var json: JSONValue {
            leaf ?? elements.map { .array($0.map(\.json)) } ?? .object(members.mapValues(\.json))
        }
    }

    private struct Node: Encoder {
        let box: Box
        let writer: TraceEncoder
        let codingPath: [any CodingKey]
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            KeyedEncodingContainer(Members(node: self))
        }
        func unkeyedContainer() -> any UnkeyedEncodingContainer {
            box.elements = []
            return Elements(node: self)
        }
        func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: self) }

        func child(_ key: (any CodingKey)?) -> Node {
            Node(box: Box(), writer: writer, codingPath: codingPath + (key.map { [$0] } ?? []))
        }
        func put(_ value: JSONValue) { box.leaf = value }
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: Node
        var codingPath: [any CodingKey] { node.codingPath }

        private func member(_ key: any CodingKey) -> Node {
            let child = node.child(key)
            node.box.members[key.stringValue] = child.box
            return child
        }
        func encodeNil(forKey key: Key) { member(key).put(.null) }
        func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            let json = try node.writer.json(of: value)
            member(key).put(json)
        }
        func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
            if let value { return try encode(value, forKey: key) }
            if node.writer.writesNil { encodeNil(forKey: key) }
        }
        func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Inner> { member(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            member(key).unkeyedContainer()
        }
        func superEncoder() -> any Encoder { node }
        func superEncoder(forKey key: Key) -> any Encoder { member(key) }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let node: Node
        var codingPath: [any CodingKey] { node.codingPath }
        var count: Int { node.box.elements?.count ?? 0 }

        private func element() -> Node {
            let child = node.child(nil)
            node.box.elements?.append(child.box)
            return child
        }
        func encodeNil() { element().put(.null) }
        func encode<T: Encodable>(_ value: T) throws {
            let json = try node.writer.json(of: value)
            element().put(json)
        }
        func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
            element().container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
        func superEncoder() -> any Encoder { element() }
    }

    private struct Single: SingleValueEncodingContainer {
        let node: Node
        var codingPath: [any CodingKey] { node.codingPath }

        func encodeNil() { node.put(.null) }
        func encode<T: Encodable>(_ value: T) throws { node.put(try node.writer.json(of: value)) }
    }
}
