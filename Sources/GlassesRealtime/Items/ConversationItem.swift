import GlassesDomain

/// One entry of a conversation.
public struct ConversationItem: Sendable, Hashable {
    /// The id; a client may choose it, else the server does.
    public var id: String?
    /// How far the item is; no effect when a client sends it.
    public var status: ItemStatus?
    /// What the item is.
    public var body: Body
    /// Fields that the protocol does not name; empty for an unknown body, which holds everything.
    public var extra: [String: JSONValue]

    /// An item.
    public init(id: String? = nil, status: ItemStatus? = nil, body: Body, extra: [String: JSONValue] = [:]) {
        self.id = id
        self.status = status
        self.body = body
        self.extra = extra
    }

    /// What an item is.
    public enum Body: Sendable, Hashable {
        /// Something said or written.
        case message(MessageItem)
        /// The model wants a function called.
        case functionCall(FunctionCallItem)
        /// The result of a function call.
        case functionCallOutput(FunctionCallOutputItem)
        /// The tools of an MCP server.
        case mcpListTools(MCPListToolsItem)
        /// A call that the server makes to an MCP server.
        case mcpCall(MCPCallItem)
        /// The server asks whether it may call an MCP tool.
        case mcpApprovalRequest(MCPApprovalRequestItem)
        /// The client's answer to that.
        case mcpApprovalResponse(MCPApprovalResponseItem)
        /// The item with this id; only inside `response.create`.
        case itemReference
        /// A kind that the protocol does not name, as the whole item came.
        case unknown(type: String, raw: JSONValue)
    }
}

/// How far an item is.
public enum ItemStatus: String, Sendable, Hashable, CaseIterable {
    /// Whole.
    case completed
    /// Cut short.
    case incomplete
    /// Still growing.
    case inProgress = "in_progress"
}

/// Who speaks in a message.
public enum MessageRole: String, Sendable, Hashable, CaseIterable {
    case system
    case user
    case assistant
}

/// Something said or written.
public struct MessageItem: Sendable, Hashable {
    /// Who says it.
    public var role: MessageRole
    /// Its pieces in order.
    public var content: [ContentPart]

    /// A message.
    public init(role: MessageRole, content: [ContentPart]) {
        self.role = role
        self.content = content
    }
}

/// The model wants a function called.
public struct FunctionCallItem: Sendable, Hashable {
    /// The function.
    public var name: String
    /// The arguments as JSON text; empty while they still arrive.
    public var arguments: String
    /// The id that the result names; empty when the peer left it out.
    public var callId: String

    /// A call.
    public init(name: String, arguments: String, callId: String) {
        self.name = name
        self.arguments = arguments
        self.callId = callId
    }
}

/// The result of a function call.
public struct FunctionCallOutputItem: Sendable, Hashable {
    /// The call that it answers.
    public var callId: String
    /// The result as free text.
    public var output: String

    /// A result.
    public init(callId: String, output: String) {
        self.callId = callId
        self.output = output
    }
}

extension ConversationItem {
    /// A message of the user with one text.
    public static func userText(_ text: String, id: String? = nil) -> ConversationItem {
        ConversationItem(id: id, body: .message(MessageItem(role: .user, content: [.inputText(text)])))
    }

    /// A message of the assistant with one text.
    public static func assistantText(_ text: String, id: String? = nil) -> ConversationItem {
        ConversationItem(id: id, body: .message(MessageItem(role: .assistant, content: [.outputText(text)])))
    }

    /// The result of a call.
    public static func functionOutput(callId: String, output: String, id: String? = nil) -> ConversationItem {
        ConversationItem(
            id: id, body: .functionCallOutput(FunctionCallOutputItem(callId: callId, output: output)))
    }
}
