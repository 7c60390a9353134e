import GlassesDomain

/// What a session is for.
public enum SessionKind: String, Sendable, Hashable, CaseIterable {
    /// A conversation.
    case realtime
    /// Speech to text only; no responses are made.
    case transcription
}

extension SessionKind: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let kind = SessionKind(rawValue: try String(wire: wire, in: context)) else {
            throw context.wrongValue(expected: "\"realtime\" or \"transcription\"")
        }
        self = kind
    }

    var wire: JSONValue { .string(rawValue) }
}

/// A kind of output: `audio` (always with its transcript) or `text`.
public struct Modality: WireName, Sendable, Hashable {
    /// The name on the wire.
    public var rawValue: String
    /// A modality by its name on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Speech with its transcript.
    public static let audio = Modality(rawValue: "audio")
    /// Text only.
    public static let text = Modality(rawValue: "text")
}

/// The voice of spoken output.
public enum Voice: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A voice by name, such as `marin`; servers have names of their own.
    case named(String)
    /// A custom voice by its id.
    case custom(id: String)

    /// A voice by name.
    public init(stringLiteral value: String) { self = .named(value) }
}

extension Voice: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        if let name = wire.stringValue {
            self = .named(name)
        } else if let id = wire["id"]?.stringValue {
            self = .custom(id: id)
        } else {
            throw context.wrongType(expected: "a voice name or {\"id\": …}")
        }
    }

    var wire: JSONValue {
        switch self {
        case .named(let name): .string(name)
        case .custom(let id): ["id": .string(id)]
        }
    }
}

/// How long an answer may become, in tokens.
public enum TokenLimit: Sendable, Hashable {
    /// 1…4096 tokens.
    case tokens(Int)
    /// As long as the model can.
    case unlimited
}

extension TokenLimit: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        if wire.stringValue == "inf" {
            self = .unlimited
        } else if let count = wire.intValue {
            self = .tokens(Int(clamping: count))
        } else {
            throw context.wrongType(expected: "an integer from 1 to 4096 or \"inf\"")
        }
    }

    var wire: JSONValue {
        switch self {
        case .tokens(let count): count.wire
        case .unlimited: "inf"
        }
    }
}

/// What happens to the oldest items when the context is full.
public enum Truncation: Sendable, Hashable {
    /// The server drops as many as needed.
    case auto
    /// Nothing is dropped; the response fails.
    case disabled
    /// The server drops more than needed, so that `ratio` (0…1) of the context stays and its cache holds longer.
    case retentionRatio(Double, postInstructionTokens: Int?)
    /// A strategy that the protocol does not name, as it came.
    case other(JSONValue)
}

extension Truncation: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        if wire == "auto" {
            self = .auto
        } else if wire == "disabled" {
            self = .disabled
        } else if wire["type"] == "retention_ratio", let ratio = wire["retention_ratio"]?.doubleValue {
            let limit = wire["token_limits"]?["post_instructions"]?.intValue.map(Int.init(clamping:))
            self = .retentionRatio(ratio, postInstructionTokens: limit)
        } else {
            self = .other(wire)
        }
    }

    var wire: JSONValue {
        switch self {
        case .auto: return "auto"
        case .disabled: return "disabled"
        case .retentionRatio(let ratio, let limit):
            var writer = ObjectWriter()
            writer.set("type", "retention_ratio")
            writer.set("retention_ratio", ratio)
            writer.set("token_limits", limit.map { ["post_instructions": $0] })
            return writer.value
        case .other(let raw): return raw
        }
    }
}

/// A stored prompt with its variables.
public struct PromptReference: WireObject, Sendable, Hashable {
    /// The id of the prompt.
    public var id: String
    /// The version; nil for the newest.
    public var version: String?
    /// The values of its variables: strings or input content parts.
    public var variables: [String: JSONValue]?

    /// A reference to the prompt `id`.
    public init(id: String, version: String? = nil, variables: [String: JSONValue]? = nil) {
        self.id = id
        self.version = version
        self.variables = variables
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        id = try reader.require("id", or: "")
        version = try reader.take("version")
        variables = try reader.take("variables")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("id", id)
        writer.set("version", version)
        writer.set("variables", variables)
    }
}

/// How much a reasoning model thinks.
public struct Reasoning: WireObject, Sendable, Hashable {
    /// `minimal`, `low`, `medium`, `high` or `xhigh`.
    public var effort: String

    /// A level of effort.
    public init(effort: String) { self.effort = effort }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) { effort = try reader.require("effort", or: "") }

    func write(to writer: inout ObjectWriter) { writer.set("effort", effort) }
}
