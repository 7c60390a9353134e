extension ConversationItem {
    /// Why no server of the protocol takes the item from a client, as the error to answer with; nil when it can.
    ///
    /// `path` is the item's place in its event. Ids are not looked up: only the server knows its calls and items.
    public func firstProblem(at path: String = "item") -> RealtimeErrorInfo? {
        switch body {
        case .message(let message):
            return message.firstProblem(at: path)
        case .functionCall(let call):
            return call.name.isEmpty ? .missing(path + ".name") : nil
        case .functionCallOutput(let output):
            return output.callId.isEmpty ? .missing(path + ".call_id") : nil
        case .mcpApprovalResponse(let response):
            return response.approvalRequestId.isEmpty ? .missing(path + ".approval_request_id") : nil
        case .mcpListTools, .mcpCall, .mcpApprovalRequest:
            return .invalidValue(path + ".type", "MCP items are made by the server. Send other items only.")
        case .itemReference:
            return .invalidValue(path + ".type", "Send references to items as input of a response only.")
        case .unknown:
            return .invalidValue(path + ".type", "Send an item type and a role of the protocol.")
        }
    }
}

extension MessageItem {
    fileprivate func firstProblem(at path: String) -> RealtimeErrorInfo? {
        if content.isEmpty { return .missing(path + ".content") }
        for (index, part) in content.enumerated() {
            if let problem = problem(with: part, at: "\(path).content[\(index)]") { return problem }
        }
        return nil
    }

    private func problem(with part: ContentPart, at path: String) -> RealtimeErrorInfo? {
        switch (role, part) {
        case (.system, .inputText), (.user, .inputText), (.assistant, .outputText): return nil
        case (.user, .inputAudio(let audio, _)): return audio == nil ? .missing(path + ".audio") : nil
        case (.user, .inputImage(let url, _)): return PictureDataURL.problem(with: url, at: path + ".image_url")
        case (.assistant, .outputAudio): return .missing(path + ".text")
        case (.system, _): return .invalidValue(path + ".type", "Send input_text in a system message.")
        case (.user, _): return .invalidValue(path + ".type", "Send input_text, input_audio or input_image.")
        case (.assistant, _): return .invalidValue(path + ".type", "Send output_text in an assistant message.")
        }
    }
}
