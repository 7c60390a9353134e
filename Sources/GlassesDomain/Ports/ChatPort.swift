/// One question to a language model in text.
public struct ChatPrompt: Sendable, Hashable {
    /// The model; nil means ``defaultModel``.
    public var model: String?
    /// What it is to do.
    public var instructions: String
    /// What it is to do it with.
    public var text: String
    /// How freely it answers, 0…2.
    public var temperature: Double
    /// Whether the answer shall be one JSON object.
    public var wantsJSON: Bool
    /// The longest answer, in tokens.
    public var tokens: Int

    /// The model that is asked when a prompt names none.
    public static let defaultModel = "gpt-4o-mini"

    /// A prompt.
    public init(
        model: String? = nil, instructions: String, text: String, temperature: Double, wantsJSON: Bool = false,
        tokens: Int
    ) {
        self.model = model
        self.instructions = instructions
        self.text = text
        self.temperature = temperature
        self.wantsJSON = wantsJSON
        self.tokens = tokens
    }
}

/// Why there is no answer in text.
public struct ChatFailure: Error, Sendable, Hashable {
    /// The machine-readable cause, such as `http_429`, `timeout` or `no_model`.
    public var code: String
    /// Whether there is nothing that writes: it is not worth asking again.
    public var isPermanent: Bool

    /// A failure.
    public init(code: String, isPermanent: Bool = false) {
        self.code = code
        self.isPermanent = isPermanent
    }
}

/// A language model that answers in text.
public struct ChatPort: Sendable {
    /// Answers within 60 s; throws ``ChatFailure`` and `CancellationError`.
    public var answer: @Sendable (ChatPrompt) async throws -> String

    /// A port.
    public init(answer: @escaping @Sendable (ChatPrompt) async throws -> String) { self.answer = answer }
}
