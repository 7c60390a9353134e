/// What a tool takes, in words from which its JSON schema is made.
///
/// ```swift
/// struct Timer: Codable { var minutes: Int; var label: String? }
///
/// builder.tool(
///     "set_timer", description: "Sets a timer.",
///     parameters: [
///         .integer("minutes", "How long", in: 1...180),
///         .string("label", "What it is for").optional,
///     ]
/// ) { (timer: Timer) in .ok("Set.") }
/// ```
///
/// The description is held against the type when the tool is made: ``ToolDefinition/registrationError``.
public struct ToolParameters: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// What a value may be.
    public indirect enum Kind: Sendable, Hashable {
        /// A text of so many characters; `example` is a text that is right, where not every text is.
        case string(length: ClosedRange<Int>? = nil, example: String? = nil)
        /// One of these texts.
        case choice([String])
        /// A whole number.
        case integer(ClosedRange<Int64>? = nil)
        /// A number.
        case number(ClosedRange<Double>? = nil)
        /// True or false.
        case boolean
        /// A list of so many values of one kind.
        case list(Kind, count: ClosedRange<Int>? = nil)
        /// An object with parameters of its own.
        case object(ToolParameters)
    }

    /// One named value.
    public struct Parameter: Sendable, Hashable {
        /// The member's name, as the type of the arguments codes it.
        public var name: String
        /// What it means, for the model.
        public var description: String
        /// What it may be.
        public var kind: Kind
        /// Whether it must be given; true by default.
        public var isRequired = true

        /// A parameter that must be given.
        public init(_ name: String, _ description: String, _ kind: Kind) {
            self.name = name
            self.description = description
            self.kind = kind
        }

        /// The same parameter, which may be left out.
        public var optional: Parameter {
            var copy = self
            copy.isRequired = false
            return copy
        }
    }

    /// The parameters, in the order in which the model reads them.
    public var parameters: [Parameter]

    /// Parameters in this order.
    public init(_ parameters: [Parameter]) { self.parameters = parameters }

    /// Parameters in the order of the literal.
    public init(arrayLiteral elements: Parameter...) { parameters = elements }
}

extension ToolParameters.Parameter {
    /// A text of so many characters.
    public static func string(
        _ name: String, _ description: String, length: ClosedRange<Int>? = nil, example: String? = nil
    ) -> Self { Self(name, description, .string(length: length, example: example)) }

    /// One of these texts.
    public static func choice(_ name: String, _ description: String, of choices: [String]) -> Self {
        Self(name, description, .choice(choices))
    }

    /// A whole number.
    public static func integer(_ name: String, _ description: String, in range: ClosedRange<Int64>? = nil) -> Self {
        Self(name, description, .integer(range))
    }

    /// A number.
    public static func number(_ name: String, _ description: String, in range: ClosedRange<Double>? = nil) -> Self {
        Self(name, description, .number(range))
    }

    /// True or false.
    public static func boolean(_ name: String, _ description: String) -> Self { Self(name, description, .boolean) }

    /// A list of so many values of one kind.
    public static func list(
        _ name: String, _ description: String, of element: ToolParameters.Kind, count: ClosedRange<Int>? = nil
    ) -> Self { Self(name, description, .list(element, count: count)) }

    /// An object with parameters of its own.
    public static func object(_ name: String, _ description: String, _ members: ToolParameters) -> Self {
        Self(name, description, .object(members))
    }
}

extension ToolParameters {
    /// The JSON schema: an object that takes these members and no others.
    public var schema: JSONValue {
        let members = parameters.map { ($0.name, $0.schema) }
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        return [
            "type": "object",
            "properties": .object(Dictionary(members, uniquingKeysWith: { first, _ in first })),
            "required": .array(required), "additionalProperties": false,
        ]
    }
}

extension ToolParameters.Parameter {
    fileprivate var schema: JSONValue {
        var rules = kind.rules
        var words = description
        if case .string(_, let example?) = kind { words += (words.isEmpty ? "" : ", ") + "for example \(example)" }
        if !words.isEmpty { rules["description"] = .string(words) }
        return .object(rules)
    }
}

extension ToolParameters.Kind {
    fileprivate var rules: [String: JSONValue] {
        switch self {
        case .string(let length, _):
            return Self.bounded(
                ["type": "string"], "minLength", "maxLength", length.map { ($0.lowerBound, $0.upperBound) })
        case .choice(let choices): return ["type": "string", "enum": .array(choices.map(JSONValue.string))]
        case .integer(let range):
            guard let range else { return ["type": "integer"] }
            return ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
        case .number(let range):
            guard let range else { return ["type": "number"] }
            return ["type": "number", "minimum": .double(range.lowerBound), "maximum": .double(range.upperBound)]
        case .boolean: return ["type": "boolean"]
        case .list(let element, let count):
            return Self.bounded(
                ["type": "array", "items": .object(element.rules)], "minItems", "maxItems",
                count.map { ($0.lowerBound, $0.upperBound) })
        case .object(let members): return members.schema.objectValue ?? [:]
        }
    }

    private static func bounded(
        _ rules: [String: JSONValue], _ low: String, _ high: String, _ bounds: (Int, Int)?
    ) -> [String: JSONValue] {
        guard let bounds else { return rules }
        return rules.merging([low: .int(Int64(bounds.0)), high: .int(Int64(bounds.1))]) { $1 }
    }
}
