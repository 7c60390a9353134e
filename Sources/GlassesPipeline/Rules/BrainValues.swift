import GlassesDomain

/// A tool as an app registered it, seen by a brain.
public struct BrainTool: Sendable, Hashable {
    /// The name that a call must carry.
    public var name: String
    /// What the tool does, in the app's words; may be empty.
    public var description: String
    /// The JSON schema of the arguments; nil means a tool without arguments.
    public var parameters: JSONValue?

    /// A tool.
    public init(name: String, description: String = "", parameters: JSONValue? = nil) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}

/// Whether a brain may, must or must not call a tool in one answer.
public enum BrainToolChoice: Sendable, Hashable {
    /// Calls a tool when the utterance clearly asks for it.
    case auto
    /// Calls none, whatever was said.
    case none
    /// Calls at least one: the best-scoring tool also below the threshold.
    case required
    /// Calls the tool of this name, also below the threshold.
    case named(String)
}

/// One call that a brain decided on.
public struct BrainCall: Sendable, Hashable {
    /// The tool's name.
    public var name: String
    /// The arguments, always an object.
    public var arguments: JSONValue

    /// A call.
    public init(name: String, arguments: JSONValue = .object([:])) {
        self.name = name
        self.arguments = arguments
    }
}

/// What a brain does about one utterance.
public enum BrainDecision: Sendable, Hashable {
    /// Calls these tools, in this order; never empty.
    case calls([BrainCall])
    /// Asks for a missing required argument; the next utterance may answer.
    case ask(question: String, tool: String, parameter: String)
    /// Says plainly that nothing registered does this.
    case cannot(String)
    /// Confirms that something is left undone, as after "don't take a picture" or "never mind".
    case acknowledge(String)
    /// Answers a greeting, thanks, or the question what the assistant can do.
    case reply(String)

    /// The sentence to speak now; nil when tools are called and their results speak.
    public var spokenText: String? {
        switch self {
        case .calls: nil
        case .ask(let question, _, _): question
        case .cannot(let text), .acknowledge(let text), .reply(let text): text
        }
    }
}
