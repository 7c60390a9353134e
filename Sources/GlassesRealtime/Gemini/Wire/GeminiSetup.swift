import GlassesDomain

/// The first message of a client: what the session is to be.
public struct GeminiSetup: Sendable, Hashable {
    /// The model with its collection, such as `models/gemini-live`.
    public var model: String
    /// `AUDIO` or `TEXT`; empty leaves it to the server.
    public var responseModalities: [String] = []
    /// The voice by its name; nil leaves it to the server.
    public var voice: String?
    /// The most tokens of an answer; nil for as many as the model can.
    public var maxOutputTokens: Int?
    /// How much the model thinks: `MINIMAL`, `LOW`, `MEDIUM` or `HIGH`; nil leaves it to the server.
    public var thinkingLevel: String?
    /// What the model is told about its task, one paragraph a part.
    public var systemInstruction: GeminiContent?
    /// The functions that it may call.
    public var functions: [GeminiFunctionDeclaration] = []
    /// How the server finds speech.
    public var activityDetection = GeminiActivityDetection()
    /// Whether speech of the user cuts the answer.
    public var interrupts = true
    /// Whether the server is to tell handles by which the session can be resumed.
    public var isResumable = false
    /// The handle of the session to resume; nil begins a new one.
    public var resumptionHandle: String?
    /// Whether the server is to drop the oldest turns when the context is full, instead of ending the session.
    public var slidesContext = false
    /// Whether the user's speech is transcribed.
    public var transcribesInput = false
    /// Whether the model's speech is transcribed.
    public var transcribesOutput = false
    /// Fields that are not known here, as they came.
    public var extra: [String: JSONValue] = [:]

    /// A session with the model `model` and the server's own settings.
    public init(model: String) { self.model = model }
}

/// A function that the model may call.
public struct GeminiFunctionDeclaration: Sendable, Hashable {
    /// The name.
    public var name: String
    /// What it does.
    public var description: String?
    /// A JSON Schema of the arguments; nil for none.
    public var parameters: JSONValue?

    /// A function by its name.
    public init(name: String, description: String? = nil, parameters: JSONValue? = nil) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}

/// How a server finds the beginning and the end of speech.
public struct GeminiActivityDetection: WireObject, Sendable, Hashable {
    /// The client says it instead, with `activityStart` and `activityEnd`.
    public var isDisabled = false
    /// `START_SENSITIVITY_HIGH` or `START_SENSITIVITY_LOW`; nil leaves it to the server.
    public var startSensitivity: String?
    /// `END_SENSITIVITY_HIGH` or `END_SENSITIVITY_LOW`; nil leaves it to the server.
    public var endSensitivity: String?
    /// How long speech lasts before it counts, in ms; nil leaves it to the server.
    public var prefixPaddingMs: Int?
    /// The silence that ends a turn, in ms; nil leaves it to the server.
    public var silenceDurationMs: Int?

    /// The server's own settings.
    public init() {}

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        isDisabled = try reader.take("disabled") ?? false
        startSensitivity = try reader.takeSpelled("startOfSpeechSensitivity")
        endSensitivity = try reader.takeSpelled("endOfSpeechSensitivity")
        prefixPaddingMs = try reader.takeSpelled("prefixPaddingMs")
        silenceDurationMs = try reader.takeSpelled("silenceDurationMs")
    }

    func write(to writer: inout ObjectWriter) {
        if isDisabled { writer.set("disabled", true) }
        writer.set("startOfSpeechSensitivity", startSensitivity)
        writer.set("endOfSpeechSensitivity", endSensitivity)
        writer.set("prefixPaddingMs", prefixPaddingMs)
        writer.set("silenceDurationMs", silenceDurationMs)
    }
}
