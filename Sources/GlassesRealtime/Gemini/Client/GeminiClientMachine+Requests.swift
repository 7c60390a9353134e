import GlassesDomain

extension GeminiClientMachine {
    mutating func ask(_ parameters: ResponseParameters, _ eventId: String?) {
        if let problem = parameters.firstProblem { return refuse(problem, eventId) }
        // One that the server has not begun to answer gives way: it will answer both together.
        guard answer == nil else {
            return refuse(
                RealtimeErrorInfo(
                    message: "The conversation has an active response. Wait until it is done.",
                    code: "conversation_already_has_active_response"), eventId)
        }
        if parameters.input == nil, let directive = directive(parameters.instructions).first, !turns.add(directive) {
            return refuse(Self.tooMuchWaits, eventId)
        }
        request = GeminiRequest(
            isOutOfBand: parameters.conversation == ResponseParameters.Conversation.none, metadata: parameters.metadata)
        if let input = parameters.input {
            // There is no way to answer outside the conversation: the server keeps what was asked.
            let contents = input.compactMap(content(of:)) + directive(parameters.instructions)
            return send(.clientContent(turns: contents, isTurnComplete: true))
        }
        if isManual, !microphone.committed.isEmpty {
            sendTurns(isComplete: false)
            return sendCommitted()
        }
        let results = calls.takeResults()
        guard !results.isEmpty else { return sendTurns(isComplete: true) }
        sendTurns(isComplete: false)
        send(.toolResponse(results))
    }

    /// Instructions for one answer are what the user asks for.
    private func directive(_ instructions: String?) -> [GeminiContent] {
        guard let instructions, !instructions.isEmpty else { return [] }
        return [.user(.text(instructions))]
    }

    private func content(of item: ConversationItem) -> GeminiContent? {
        switch item.body {
        case .message(let message): return Self.content(of: message)
        case .itemReference:
            guard let id = item.id, case .message(let message)? = ledger[id]?.item.body else { return nil }
            return Self.content(of: message)
        case .functionCall, .functionCallOutput, .mcpListTools, .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse,
            .unknown:
            return nil
        }
    }

    /// Gives the server what was put into the conversation; an answer follows if it is asked for.
    mutating func sendTurns(isComplete: Bool) {
        guard isComplete || !turns.isEmpty else { return }
        send(.clientContent(turns: turns.takeAll(), isTurnComplete: isComplete))
    }

    /// Gemini Live cannot be told to stop: what it goes on to say is dropped.
    mutating func cancel(_ responseId: String?, _ eventId: String?) {
        guard let answer, responseId == nil || responseId == answer.id else {
            let message = "There is no active response to cancel."
            return refuse(RealtimeErrorInfo(message: message, code: "response_cancel_not_active"), eventId)
        }
        isSwallowing = isTurnOpen
        endAnswer(.cancelled, reason: .clientCancelled)
    }
}
