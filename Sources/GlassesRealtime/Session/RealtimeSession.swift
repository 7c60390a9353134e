import GlassesDomain

/// The whole effective configuration of a session, as `session.created` and `session.updated` carry it.
///
/// A session read from a server that leaves fields out has the protocol's defaults in them.
public struct RealtimeSession: Sendable, Hashable {
    /// What the session is for.
    public var type: SessionKind
    /// The server's id of the session.
    public var id: String?
    /// When the server will end the session, in seconds since 1970; nil when unknown.
    public var expiresAt: Int?
    /// The model, fixed for the life of the session.
    public var model: String?
    /// `[.audio]` (the default) or `[.text]`.
    public var outputModalities: [Modality] = [.audio]
    /// The system instructions.
    public var instructions = ""
    /// The user's audio.
    public var input = AudioInput()
    /// The assistant's audio.
    public var output = AudioOutput()
    /// The tools.
    public var tools: [ToolDefinition] = []
    /// Whether and which tool must be called.
    public var toolChoice = ToolChoice.auto
    /// Whether several tools may be called at once; nil when the server did not say.
    public var parallelToolCalls: Bool?
    /// How much a reasoning model thinks.
    public var reasoning: Reasoning?
    /// The longest answer.
    public var maxOutputTokens = TokenLimit.unlimited
    /// What happens when the context is full.
    public var truncation = Truncation.auto
    /// A stored prompt.
    public var prompt: PromptReference?
    /// `"auto"` or an object, as the client sent it.
    public var tracing: JSONValue?
    /// Optional parts of events.
    public var include: [String]?
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// A session with the protocol's defaults.
    public init(type: SessionKind = .realtime, id: String? = nil, model: String? = nil) {
        self.type = type
        self.id = id
        self.model = model
    }
}

/// How the user's audio arrives and is understood.
public struct AudioInput: Sendable, Hashable {
    /// The format of `input_audio_buffer.append`.
    public var format = AudioFormat.standard
    /// The transcription of user speech; nil is off.
    public var transcription: Transcription?
    /// Noise reduction; nil is off.
    public var noiseReduction: NoiseReduction?
    /// Turn detection; nil is push to talk.
    public var turnDetection: TurnDetection? = .serverVAD(ServerVAD())
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// The protocol's defaults: PCM 24 kHz, server VAD, no transcription, no noise reduction.
    public init() {}
}

/// How the assistant's audio leaves.
public struct AudioOutput: Sendable, Hashable {
    /// The format of `response.output_audio.delta`.
    public var format = AudioFormat.standard
    /// The voice; nil when the server did not say.
    public var voice: Voice?
    /// The speed, 0.25…1.5.
    public var speed = 1.0
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// The protocol's defaults: PCM 24 kHz, speed 1.
    public init() {}
}

extension RealtimeSession: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        let id = try reader.take("id", as: String.self)
        let expiresAt = try reader.take("expires_at", as: Int.self)
        // A beta `transcription_session` names its kind only here.
        let isTranscription = reader.peek("object") == "realtime.transcription_session"
        reader.discard("object")
        let update = try SessionUpdate(from: &reader)
        self.init(type: update.type ?? (isTranscription ? .transcription : .realtime), id: id, model: update.model)
        self.expiresAt = expiresAt
        merge(update)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("type", type)
        writer.set("object", type == .transcription ? "realtime.transcription_session" : "realtime.session")
        writer.set("id", id)
        writer.set("expires_at", expiresAt)
        switch type {
        case .realtime: writeConversation(to: &writer)
        case .transcription: writer.set("audio", ["input": input.wire])
        }
        writer.setNullable("include", include)
        writer.merge(extra)
    }

    private func writeConversation(to writer: inout ObjectWriter) {
        writer.set("model", model)
        writer.set("output_modalities", outputModalities)
        writer.set("instructions", instructions)
        writer.set("audio", ["input": input.wire, "output": output.wire])
        writer.set("tools", tools)
        writer.set("tool_choice", toolChoice)
        writer.set("parallel_tool_calls", parallelToolCalls)
        writer.set("reasoning", reasoning)
        writer.set("max_output_tokens", maxOutputTokens)
        writer.set("truncation", truncation)
        writer.setNullable("prompt", prompt)
        writer.setNullable("tracing", tracing)
    }
}

extension AudioInput {
    fileprivate var wire: JSONValue {
        var writer = ObjectWriter(extra: extra)
        writer.set("format", format)
        writer.setNullable("transcription", transcription)
        writer.setNullable("noise_reduction", noiseReduction)
        writer.setNullable("turn_detection", turnDetection)
        return writer.value
    }
}

extension AudioOutput {
    fileprivate var wire: JSONValue {
        var writer = ObjectWriter(extra: extra)
        writer.set("format", format)
        writer.set("voice", voice)
        writer.set("speed", speed)
        return writer.value
    }
}
