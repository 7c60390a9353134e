import GlassesRealtime

/// Which items of a client are accepted, apart from their place in the conversation.
struct ItemRules: Equatable, Sendable {
    /// Whether the brain does anything with pictures.
    let acceptsImages: Bool

    /// Clients choose ids freely; this keeps them from being a store.
    private static let maximumIdLength = 256

    /// The error to answer with; nil when the item is fine.
    func problem(of item: ConversationItem, at path: String = "item") -> RealtimeErrorInfo? {
        if let id = item.id, id.isEmpty || id.utf8.count > Self.maximumIdLength || id == "root" {
            return .refusal("\(path).id", "Send an id of 1 to \(Self.maximumIdLength) bytes that is not \"root\".")
        }
        switch item.body {
        case .message(let message): return problem(of: message, at: path)
        case .functionCall(let call):
            if call.name.isEmpty { return .missing("\(path).name") }
            return tooLong(call.name.utf8.count + call.arguments.utf8.count, "\(path).arguments")
        case .functionCallOutput(let result):
            if result.callId.isEmpty { return .missing("\(path).call_id") }
            return tooLong(result.output.utf8.count, "\(path).output")
        case .mcpListTools, .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse:
            return .refusal(
                "\(path).type", "This server runs no MCP tools. Send messages, function calls and their outputs.")
        case .itemReference:
            return .refusal("\(path).type", "An item_reference belongs into the input of response.create.")
        case .unknown(let type, _):
            let what = type == "message" ? "\(path).role" : "\(path).type"
            return .refusal(what, "Send a message, a function_call or a function_call_output.")
        }
    }

    private func problem(of message: MessageItem, at path: String) -> RealtimeErrorInfo? {
        if message.content.isEmpty { return .missing("\(path).content") }
        var length = 0
        for (index, part) in message.content.enumerated() {
            let place = "\(path).content[\(index)]"
            if let problem = problem(of: part, role: message.role, at: place) { return problem }
            length += part.text?.utf8.count ?? 0
        }
        return tooLong(length, "\(path).content")
    }

    private func problem(of part: ContentPart, role: MessageRole, at place: String) -> RealtimeErrorInfo? {
        switch (part, role) {
        case (.inputText, .system), (.inputText, .user), (.outputText, .assistant): return nil
        case (.inputAudio(let audio, _), .user): return problem(ofAudio: audio, at: place)
        case (.inputImage(let url, _), .user):
            if acceptsImages { return PictureDataURL.problem(with: url, at: "\(place).image_url") }
            return .refusal("\(place).type", "This model cannot look at pictures. Leave input_image out.")
        case (.outputAudio, .assistant):
            // Spoken answers are made by the server only; in a replay they are text.
            return .missing("\(place).text")
        case (.inputText, .assistant), (.inputAudio, _), (.inputImage, _), (.outputText, _), (.outputAudio, _),
            (.unknown, _):
            let allowed =
                switch role {
                case .system: "input_text"
                case .user: acceptsImages ? "input_text, input_audio or input_image" : "input_text or input_audio"
                case .assistant: "output_text"
                }
            return .refusal("\(place).type", "A message with the role '\(role.rawValue)' takes \(allowed).")
        }
    }

    private func problem(ofAudio audio: [UInt8]?, at place: String) -> RealtimeErrorInfo? {
        guard let audio, !audio.isEmpty else { return .missing("\(place).audio") }
        guard audio.count / 2 > PipelineLimits.utteranceSamples else { return nil }
        return .refusal("\(place).audio", "Send at most 30 s of audio in one item.")
    }

    private func tooLong(_ bytes: Int, _ path: String) -> RealtimeErrorInfo? {
        guard bytes > PipelineLimits.itemTextBytes else { return nil }
        return .refusal(path, "Send at most 1 MiB of text in one item.")
    }
}

extension RealtimeErrorInfo {
    /// A value that this server does not take.
    static func refusal(_ param: String?, _ message: String) -> RealtimeErrorInfo {
        RealtimeErrorInfo(message: message, code: "invalid_value", param: param)
    }

    /// A required field that is absent.
    static func missing(_ param: String) -> RealtimeErrorInfo {
        RealtimeErrorInfo(
            message: "Add the required field '\(param)'.", code: "missing_required_parameter", param: param)
    }

    /// A failure of this machine's engines, not of the client.
    static func server(code: String, message: String) -> RealtimeErrorInfo {
        RealtimeErrorInfo(message: message, type: "server_error", code: code)
    }
}
