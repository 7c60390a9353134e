import GlassesDomain

/// What an app's tool answered to the model.
public struct ToolOutcome: Sendable, Hashable {
    /// The text that the model gets.
    public let output: String
    /// Whether the model is told that it failed: the tool said so, threw, timed out, or was never run because of its arguments.
    public let isError: Bool

    /// An outcome.
    public init(output: String, isError: Bool) {
        self.output = output
        self.isError = isError
    }
}

/// A call that the scripted model makes.
public struct ToolRequest: Sendable, Hashable {
    /// The tool's name.
    public let name: String
    /// Its arguments.
    public let arguments: JSONValue

    /// A call; no arguments means an empty object.
    public init(_ name: String, _ arguments: JSONValue = [:]) {
        self.name = name
        self.arguments = arguments
    }
}
