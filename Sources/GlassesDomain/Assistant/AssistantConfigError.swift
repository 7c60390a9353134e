/// A value of an ``AssistantConfig`` that cannot be meant; thrown by the session's `start()`, which then has changed nothing.
public struct AssistantConfigError: Error, Sendable, Hashable {
    /// The field, such as `silenceTimeout` or `reconnect.firstWait`; of a tool `tools.` and its name.
    public let field: String
    /// `out_of_range`, or `unknown_value` for a word that is none of those that are known.
    public let code: String
    /// What is allowed.
    private let requirement: String

    /// An error; `requirement` says what the field must be, as the end of a sentence.
    public init(field: String, code: String = "out_of_range", requirement: String) {
        self.field = field
        self.code = code
        self.requirement = requirement
    }
}

extension AssistantConfigError: ExtentosErrorDescription {
    /// The caller's.
    public var blame: Blame { .local }
    /// One sentence with the next step.
    public var description: String {
        "\(field) must be \(requirement). Correct it where the session is configured."
    }
}
