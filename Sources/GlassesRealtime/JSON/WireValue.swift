import GlassesDomain

/// How a decoder treats a field of the wrong kind and a required field that is missing.
enum DecodingMode: Sendable {
    /// Events of a server: a wrong field survives as an extra one, a missing one gets its neutral value.
    case lenient
    /// Events of a client: the first wrong or missing field is an error that names it.
    case strict
}

/// Where in an event a value stands, so that an error can name the field.
struct DecodingContext {
    /// The dotted path from the event, such as `session.audio.input`; empty at the top.
    let path: String
    let mode: DecodingMode

    func child(_ key: String) -> DecodingContext {
        DecodingContext(path: path.isEmpty ? key : path + "." + key, mode: mode)
    }

    func element(_ index: Int) -> DecodingContext {
        DecodingContext(path: path + "[\(index)]", mode: mode)
    }

    func wrongType(expected: String) -> RealtimeCodecError {
        RealtimeCodecError(.invalidType, param: path, message: "Send \(expected) as '\(path)'.")
    }

    func wrongValue(expected: String) -> RealtimeCodecError {
        RealtimeCodecError(.invalidValue, param: path, message: "Send \(expected) as '\(path)'.")
    }

    var missing: RealtimeCodecError {
        RealtimeCodecError(.missingRequiredParameter, param: path, message: "Add the required field '\(path)'.")
    }
}

/// Something that has one JSON form on the wire.
protocol WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError)
    var wire: JSONValue { get }
}

/// Something that is a JSON object on the wire.
protocol WireObject: WireValue {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError)
    func write(to writer: inout ObjectWriter)
}

extension WireObject {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        var reader = try ObjectReader(wire, in: context)
        try self.init(from: &reader)
    }

    var wire: JSONValue {
        var writer = ObjectWriter()
        write(to: &writer)
        return writer.value
    }
}

extension JSONValue: WireValue {
    init(wire: JSONValue, in context: DecodingContext) { self = wire }
    var wire: JSONValue { self }
}

extension String: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let value = wire.stringValue else { throw context.wrongType(expected: "a string") }
        self = value
    }

    var wire: JSONValue { .string(self) }
}

extension Int: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let wide = wire.intValue, let value = Int(exactly: wide) else {
            throw context.wrongType(expected: "an integer")
        }
        self = value
    }

    var wire: JSONValue { .int(Int64(self)) }
}

extension Double: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let value = wire.doubleValue else { throw context.wrongType(expected: "a number") }
        self = value
    }

    var wire: JSONValue { .double(self) }
}

extension Bool: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let value = wire.boolValue else { throw context.wrongType(expected: "true or false") }
        self = value
    }

    var wire: JSONValue { .bool(self) }
}

extension Array: WireValue where Element: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let values = wire.arrayValue else { throw context.wrongType(expected: "an array") }
        self = []
        reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            append(try Element(wire: value, in: context.element(index)))
        }
    }

    var wire: JSONValue { .array(map(\.wire)) }
}

extension Dictionary: WireValue where Key == String, Value: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let members = wire.objectValue else { throw context.wrongType(expected: "an object") }
        self = [:]
        // The keys are the peer's own words, so the path stops at the object: errors quote no content.
        for (key, value) in members { self[key] = try Value(wire: value, in: context) }
    }

    var wire: JSONValue { .object(mapValues(\.wire)) }
}

/// An open set of names on the wire: known ones are static members, others are kept as they came.
protocol WireName: WireValue, RawRepresentable<String> {
    init(rawValue: String)
}

extension WireName {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        self.init(rawValue: try String(wire: wire, in: context))
    }

    var wire: JSONValue { .string(rawValue) }
}
