import GlassesDomain

extension ConversationItem: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        let type = try reader.require("type", or: "")
        guard let body = try Body(type: type, from: &reader) else {
            self.init(id: reader.peek("id"), body: .unknown(type: type, raw: .object(reader.members)))
            return
        }
        let id = try reader.take("id", as: String.self)
        let status = try reader.take("status", as: ItemStatus.self)
        reader.discard("object")
        self.init(id: id, status: status, body: body, extra: reader.extra)
    }

    func write(to writer: inout ObjectWriter) {
        if case .unknown(_, let raw) = body {
            writer.merge(raw.objectValue ?? [:])
            return
        }
        body.write(to: &writer)
        writer.set("id", id)
        writer.set("object", "realtime.item")
        writer.set("status", status)
        writer.merge(extra)
    }
}

extension ConversationItem.Body {
    /// Nil when the protocol does not name the type, or a message has a role that it does not name.
    fileprivate init?(type: String, from reader: inout ObjectReader) throws(RealtimeCodecError) {
        switch type {
        case "message":
            guard let role = MessageRole(rawValue: try reader.require("role", or: "")) else { return nil }
            self = .message(MessageItem(role: role, content: try Self.content(of: role, from: &reader)))
        case "function_call": self = .functionCall(try FunctionCallItem(from: &reader))
        case "function_call_output": self = .functionCallOutput(try FunctionCallOutputItem(from: &reader))
        case "mcp_list_tools": self = .mcpListTools(try MCPListToolsItem(from: &reader))
        case "mcp_call": self = .mcpCall(try MCPCallItem(from: &reader))
        case "mcp_approval_request": self = .mcpApprovalRequest(try MCPApprovalRequestItem(from: &reader))
        case "mcp_approval_response": self = .mcpApprovalResponse(try MCPApprovalResponseItem(from: &reader))
        case "item_reference": self = .itemReference
        default: return nil
        }
    }

    /// The bare `text` and `audio` of the beta dialect mean input in messages that are not the assistant's.
    private static func content(
        of role: MessageRole, from reader: inout ObjectReader
    ) throws(RealtimeCodecError) -> [ContentPart] {
        let parts = try reader.require("content", or: [ContentPart]())
        guard role != .assistant else { return parts }
        return parts.map { part in
            switch part {
            case .outputText(let text): .inputText(text)
            case .outputAudio(let audio, let transcript): .inputAudio(audio: audio, transcript: transcript)
            case .inputText, .inputAudio, .inputImage, .unknown: part
            }
        }
    }

    fileprivate func write(to writer: inout ObjectWriter) {
        switch self {
        case .message(let item):
            writer.set("type", "message")
            writer.set("role", item.role.rawValue)
            writer.set("content", item.content)
        case .functionCall(let item): write("function_call", item, to: &writer)
        case .functionCallOutput(let item): write("function_call_output", item, to: &writer)
        case .mcpListTools(let item): write("mcp_list_tools", item, to: &writer)
        case .mcpCall(let item): write("mcp_call", item, to: &writer)
        case .mcpApprovalRequest(let item): write("mcp_approval_request", item, to: &writer)
        case .mcpApprovalResponse(let item): write("mcp_approval_response", item, to: &writer)
        case .itemReference: writer.set("type", "item_reference")
        case .unknown(_, let raw): writer.merge(raw.objectValue ?? [:])
        }
    }

    private func write(_ type: String, _ item: some WireObject, to writer: inout ObjectWriter) {
        writer.set("type", type)
        item.write(to: &writer)
    }
}

extension ItemStatus: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let status = ItemStatus(rawValue: try String(wire: wire, in: context)) else {
            throw context.wrongValue(expected: "\"completed\", \"incomplete\" or \"in_progress\"")
        }
        self = status
    }

    var wire: JSONValue { .string(rawValue) }
}

extension FunctionCallItem: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        name = try reader.require("name", or: "")
        arguments = try reader.require("arguments", or: "")
        callId = try reader.take("call_id") ?? ""
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("name", name)
        writer.set("arguments", arguments)
        writer.set("call_id", callId.isEmpty ? nil : callId)
    }
}

extension FunctionCallOutputItem: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        callId = try reader.require("call_id", or: "")
        output = try reader.require("output", or: "")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("call_id", callId)
        writer.set("output", output)
    }
}
