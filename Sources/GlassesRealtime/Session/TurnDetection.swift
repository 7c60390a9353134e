import GlassesDomain

/// How a server decides that the user began and ended to speak.
public enum TurnDetection: Sendable, Hashable {
    /// By energy or a voice model, with a fixed silence.
    case serverVAD(ServerVAD)
    /// By what was said.
    case semanticVAD(SemanticVAD)
    /// A kind that the protocol does not name, as it came.
    case other(JSONValue)

    /// Whether the server answers by itself when the user's turn ends; true for kinds that are not known.
    public var createsResponse: Bool {
        switch self {
        case .serverVAD(let vad): vad.createResponse
        case .semanticVAD(let vad): vad.createResponse
        case .other(let raw): raw["create_response"]?.boolValue ?? true
        }
    }

    /// Whether the server cancels the running answer when the user begins to speak; true for kinds that are not known.
    public var interruptsResponse: Bool {
        switch self {
        case .serverVAD(let vad): vad.interruptResponse
        case .semanticVAD(let vad): vad.interruptResponse
        case .other(let raw): raw["interrupt_response"]?.boolValue ?? true
        }
    }
}

/// The settings of `server_vad`.
public struct ServerVAD: Sendable, Hashable {
    /// 0…1, higher needs louder speech; default 0.5.
    public var threshold: Double
    /// Audio kept from before the speech, in ms; default 300.
    public var prefixPaddingMs: Int
    /// Silence that ends a turn, in ms; default 500.
    public var silenceDurationMs: Int
    /// Whether the end of a turn makes a response; default true.
    public var createResponse: Bool
    /// Whether the start of speech cancels the running response; default true.
    public var interruptResponse: Bool
    /// Silence after an answer's playback that makes another response, in ms; nil (the default) for none.
    public var idleTimeoutMs: Int?
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// Settings with the protocol's defaults.
    public init(
        threshold: Double = 0.5, prefixPaddingMs: Int = 300, silenceDurationMs: Int = 500,
        createResponse: Bool = true, interruptResponse: Bool = true, idleTimeoutMs: Int? = nil
    ) {
        self.threshold = threshold
        self.prefixPaddingMs = prefixPaddingMs
        self.silenceDurationMs = silenceDurationMs
        self.createResponse = createResponse
        self.interruptResponse = interruptResponse
        self.idleTimeoutMs = idleTimeoutMs
    }
}

/// The settings of `semantic_vad`.
public struct SemanticVAD: Sendable, Hashable {
    /// How soon the server answers: `low` (waits up to 8 s), `medium` (4 s), `high` (2 s) or `auto`, the default.
    public var eagerness: String
    /// Whether the end of a turn makes a response; default true.
    public var createResponse: Bool
    /// Whether the start of speech cancels the running response; default true.
    public var interruptResponse: Bool
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// Settings with the protocol's defaults.
    public init(eagerness: String = "auto", createResponse: Bool = true, interruptResponse: Bool = true) {
        self.eagerness = eagerness
        self.createResponse = createResponse
        self.interruptResponse = interruptResponse
    }
}

extension ServerVAD: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        self.init()
        reader.discard("type")
        threshold = try reader.take("threshold") ?? threshold
        prefixPaddingMs = try reader.take("prefix_padding_ms") ?? prefixPaddingMs
        silenceDurationMs = try reader.take("silence_duration_ms") ?? silenceDurationMs
        createResponse = try reader.take("create_response") ?? createResponse
        interruptResponse = try reader.take("interrupt_response") ?? interruptResponse
        idleTimeoutMs = try reader.take("idle_timeout_ms")
        extra = reader.extra
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("type", "server_vad")
        writer.set("threshold", threshold)
        writer.set("prefix_padding_ms", prefixPaddingMs)
        writer.set("silence_duration_ms", silenceDurationMs)
        writer.set("create_response", createResponse)
        writer.set("interrupt_response", interruptResponse)
        writer.setNullable("idle_timeout_ms", idleTimeoutMs)
        writer.merge(extra)
    }
}

extension SemanticVAD: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        self.init()
        reader.discard("type")
        eagerness = try reader.take("eagerness") ?? eagerness
        createResponse = try reader.take("create_response") ?? createResponse
        interruptResponse = try reader.take("interrupt_response") ?? interruptResponse
        extra = reader.extra
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("type", "semantic_vad")
        writer.set("eagerness", eagerness)
        writer.set("create_response", createResponse)
        writer.set("interrupt_response", interruptResponse)
        writer.merge(extra)
    }
}

extension TurnDetection: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        var reader = try ObjectReader(wire, in: context)
        switch reader.peek("type") {
        case "server_vad": self = .serverVAD(try ServerVAD(from: &reader))
        case "semantic_vad": self = .semanticVAD(try SemanticVAD(from: &reader))
        default: self = .other(wire)
        }
    }

    var wire: JSONValue {
        switch self {
        case .serverVAD(let vad): vad.wire
        case .semanticVAD(let vad): vad.wire
        case .other(let raw): raw
        }
    }

    /// The form `{"type":"none"}` of some clients means null.
    var isNone: Bool { if case .other(let raw) = self { raw["type"] == "none" } else { false } }
}
