import GlassesDomain

/// The tools of an MCP server.
public struct MCPListToolsItem: Sendable, Hashable {
    /// The server's label in the session's tools.
    public var serverLabel: String
    /// The tools: objects with `name`, `input_schema`, and perhaps `description` and `annotations`.
    public var tools: [JSONValue]

    /// A list of tools.
    public init(serverLabel: String, tools: [JSONValue]) {
        self.serverLabel = serverLabel
        self.tools = tools
    }
}

/// A call that the server makes to an MCP server.
public struct MCPCallItem: Sendable, Hashable {
    /// The server's label in the session's tools.
    public var serverLabel: String
    /// The tool.
    public var name: String
    /// The arguments as JSON text.
    public var arguments: String
    /// The result; nil while it runs and after a failure.
    public var output: String?
    /// The request for approval that allowed it.
    public var approvalRequestId: String?
    /// The failure: an object with a `type` of `protocol_error`, `tool_execution_error` or `http_error`.
    public var error: JSONValue?

    /// A call.
    public init(
        serverLabel: String, name: String, arguments: String, output: String? = nil,
        approvalRequestId: String? = nil, error: JSONValue? = nil
    ) {
        self.serverLabel = serverLabel
        self.name = name
        self.arguments = arguments
        self.output = output
        self.approvalRequestId = approvalRequestId
        self.error = error
    }
}

/// The server asks whether it may call an MCP tool.
public struct MCPApprovalRequestItem: Sendable, Hashable {
    /// The server's label in the session's tools.
    public var serverLabel: String
    /// The tool.
    public var name: String
    /// The arguments as JSON text.
    public var arguments: String

    /// A request.
    public init(serverLabel: String, name: String, arguments: String) {
        self.serverLabel = serverLabel
        self.name = name
        self.arguments = arguments
    }
}

/// The client's answer to a request for approval.
public struct MCPApprovalResponseItem: Sendable, Hashable {
    /// The request.
    public var approvalRequestId: String
    /// Whether the call may be made.
    public var approve: Bool
    /// Why or why not.
    public var reason: String?

    /// An answer.
    public init(approvalRequestId: String, approve: Bool, reason: String? = nil) {
        self.approvalRequestId = approvalRequestId
        self.approve = approve
        self.reason = reason
    }
}

extension MCPListToolsItem: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        serverLabel = try reader.require("server_label", or: "")
        tools = try reader.require("tools", or: [])
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("server_label", serverLabel)
        writer.set("tools", tools)
    }
}

extension MCPCallItem: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        serverLabel = try reader.require("server_label", or: "")
        name = try reader.require("name", or: "")
        arguments = try reader.require("arguments", or: "")
        output = try reader.take("output")
        approvalRequestId = try reader.take("approval_request_id")
        error = try reader.take("error")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("server_label", serverLabel)
        writer.set("name", name)
        writer.set("arguments", arguments)
        writer.setNullable("output", output)
        writer.setNullable("approval_request_id", approvalRequestId)
        writer.setNullable("error", error)
    }
}

extension MCPApprovalRequestItem: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        serverLabel = try reader.require("server_label", or: "")
        name = try reader.require("name", or: "")
        arguments = try reader.require("arguments", or: "")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("server_label", serverLabel)
        writer.set("name", name)
        writer.set("arguments", arguments)
    }
}

extension MCPApprovalResponseItem: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        approvalRequestId = try reader.require("approval_request_id", or: "")
        approve = try reader.require("approve", or: false)
        reason = try reader.take("reason")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("approval_request_id", approvalRequestId)
        writer.set("approve", approve)
        writer.setNullable("reason", reason)
    }
}
