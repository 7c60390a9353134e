import GlassesDomain

/// What the machine needs to know of a registered tool.
public struct ToolFacts: Sendable, Hashable, Codable {
    /// Who carries out a call.
    public enum Role: Sendable, Hashable, Codable {
        /// A body that the driver runs.
        case body
        /// The ledger: it cancels running calls.
        case cancelsCalls
        /// The machine: the session sleeps once the goodbye was heard.
        case endsConversation
    }

    /// The name that the model calls.
    public var name: String
    /// The checked JSON schema of its arguments (``ToolSchemaCheck``).
    public var schema: JSONValue
    /// How long a call may take; 30 s by default.
    public var timeout: Duration
    /// How its calls are treated.
    public var policy: ToolPolicy
    /// Who carries out a call.
    public var role: Role

    /// A tool.
    public init(
        name: String, schema: JSONValue, timeout: Duration = .seconds(30), policy: ToolPolicy = .standard,
        role: Role = .body
    ) {
        self.name = name
        self.schema = schema
        self.timeout = timeout
        self.policy = policy
        self.role = role
    }
}
