/// Why a tool cannot be registered; thrown by the session's `start()`, which then has changed nothing.
public struct ToolRegistrationError: Error, Sendable, Hashable {
    /// The tool.
    public let toolName: String
    /// `duplicate_name`, `reserved_name` or `parameters_mismatch`.
    public let code: String
    /// What was found.
    private let detail: String

    /// An error; `detail` is a part of a sentence.
    public init(toolName: String, code: String, detail: String) {
        self.toolName = toolName
        self.code = code
        self.detail = detail
    }
}

extension ToolRegistrationError: ExtentosErrorDescription {
    /// The caller's.
    public var blame: Blame { .local }
    /// One sentence with the next step.
    public var description: String {
        "Tool \"\(toolName)\" cannot be registered: \(detail). Correct it where the tool is registered."
    }
}
