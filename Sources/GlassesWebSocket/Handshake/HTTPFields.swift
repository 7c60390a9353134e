/// The header fields of an HTTP message in their order; names are compared without regard to case.
public struct HTTPFields: Sendable, Hashable {
    /// One line of a header.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public var name: String
        /// The value without the white space around it.
        public var value: String

        /// The field `name: value`.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, in order.
    public private(set) var all: [Field] = []

    /// No field.
    public init() {}

    /// The fields in the order of `pairs`.
    public init(_ pairs: [(name: String, value: String)]) {
        all = pairs.map { Field(name: $0.name, value: $0.value) }
    }

    /// Adds a field behind the others; one of the same name stays.
    public mutating func append(name: String, value: String) { all.append(Field(name: name, value: value)) }

    /// The values of every field called `name`, in order.
    public func values(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return all.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    /// The value of the first field called `name`.
    public func first(_ name: String) -> String? { values(name).first }

    /// The comma-separated elements of every field called `name`, in order, trimmed; empty ones are left out.
    public func elements(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",") }.map { Self.trimmed($0) }.filter { !$0.isEmpty }
    }

    /// Whether `token` is among the elements of `name`, without regard to case.
    public func contains(_ name: String, token: String) -> Bool {
        elements(name).contains { $0.lowercased() == token.lowercased() }
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text.utf8
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return String(Substring(rest))
    }
}
