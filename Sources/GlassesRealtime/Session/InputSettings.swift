import GlassesDomain

/// How the user's speech is written down beside the conversation.
public struct Transcription: WireObject, Sendable, Hashable {
    /// The model's name; a gateway maps or ignores names that it does not know.
    public var model: String?
    /// The expected language as ISO 639-1.
    public var language: String?
    /// Several expected languages.
    public var languages: [String]?
    /// Words that help the model.
    public var prompt: String?
    /// Fields that are newer than this library, such as `keywords` and `delay`.
    public var extra: [String: JSONValue]

    /// Transcription by `model`.
    public init(
        model: String? = nil, language: String? = nil, languages: [String]? = nil, prompt: String? = nil,
        extra: [String: JSONValue] = [:]
    ) {
        self.model = model
        self.language = language
        self.languages = languages
        self.prompt = prompt
        self.extra = extra
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        model = try reader.take("model")
        language = try reader.take("language")
        languages = try reader.take("languages")
        prompt = try reader.take("prompt")
        extra = reader.extra
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("model", model)
        writer.set("language", language)
        writer.set("languages", languages)
        writer.set("prompt", prompt)
        writer.merge(extra)
    }
}

/// Noise reduction before turn detection and the model.
public struct NoiseReduction: WireObject, Sendable, Hashable {
    /// `near_field` for headsets and glasses, `far_field` for rooms.
    public var type: String
    /// How strong, 1 being the server's default.
    public var strength: Double?

    /// Noise reduction of a kind.
    public init(type: String, strength: Double? = nil) {
        self.type = type
        self.strength = strength
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        type = try reader.require("type", or: "")
        strength = try reader.take("strength")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("type", type)
        writer.set("strength", strength)
    }
}
