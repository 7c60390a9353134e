import GlassesDomain

/// The `session` of a `session.update`: only what it names changes.
///
/// `nil` and ``FieldUpdate/keep`` mean "absent". Of a union such as `turn_detection`, `transcription` or `format` the
/// whole object is replaced, with defaults for what it leaves out.
public struct SessionUpdate: Sendable, Hashable {
    /// The kind of session; required on the wire, so nil is refused when the update is applied.
    public var type: SessionKind?
    /// The model; sent by some clients with each update, and ignored when the update is applied.
    public var model: String?
    /// `[.audio]` or `[.text]`.
    public var outputModalities: [Modality]?
    /// The system instructions; an empty text clears them.
    public var instructions: String?
    /// The user's audio.
    public var input = AudioInputUpdate()
    /// The assistant's audio.
    public var output = AudioOutputUpdate()
    /// All tools; an empty list clears them.
    public var tools: [ToolDefinition]?
    /// Whether and which tool must be called.
    public var toolChoice: ToolChoice?
    /// Whether several tools may be called at once.
    public var parallelToolCalls: Bool?
    /// How much a reasoning model thinks.
    public var reasoning: Reasoning?
    /// The longest answer.
    public var maxOutputTokens: TokenLimit?
    /// What happens when the context is full.
    public var truncation: Truncation?
    /// A stored prompt.
    public var prompt = FieldUpdate<PromptReference>.keep
    /// `"auto"` or an object; stored and echoed.
    public var tracing = FieldUpdate<JSONValue>.keep
    /// Optional parts of events, such as `item.input_audio_transcription.logprobs`.
    public var include = FieldUpdate<[String]>.keep
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// An update that changes nothing yet.
    public init(type: SessionKind? = .realtime) { self.type = type }
}

/// What an update changes about the user's audio.
public struct AudioInputUpdate: Sendable, Hashable {
    /// The format of `input_audio_buffer.append`.
    public var format: AudioFormat?
    /// The transcription of user speech.
    public var transcription = FieldUpdate<Transcription>.keep
    /// Noise reduction.
    public var noiseReduction = FieldUpdate<NoiseReduction>.keep
    /// Turn detection; ``FieldUpdate/clear`` is push to talk.
    public var turnDetection = FieldUpdate<TurnDetection>.keep
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// An update that changes nothing yet.
    public init() {}
}

/// What an update changes about the assistant's audio.
public struct AudioOutputUpdate: Sendable, Hashable {
    /// The format of `response.output_audio.delta`.
    public var format: AudioFormat?
    /// The voice; fixed once audio was produced.
    public var voice: Voice?
    /// The speed, 0.25…1.5.
    public var speed: Double?
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// An update that changes nothing yet.
    public init() {}
}
