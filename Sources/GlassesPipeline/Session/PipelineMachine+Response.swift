import GlassesDomain
import GlassesRealtime

extension PipelineMachine {
    /// The metadata key by which a client has a text read out as it is: the text of the single item of `input`.
    static let sayKey = "extentos_say"

    mutating func createResponse(_ parameters: ResponseParameters, eventId: String?) {
        let isOutOfBand = parameters.conversation == ResponseParameters.Conversation.none
        if let problem = problem(of: parameters) ?? obstacle(isOutOfBand: isOutOfBand) {
            return refuse(problem, eventId: eventId)
        }
        let text = Self.textToSay(in: parameters)
        let mustWait = !isOutOfBand && parameters.input == nil && !recognitions.isEmpty
        let waiting = ActiveResponse.Phase.awaitingTranscripts(ActiveResponse.TranscriptWait())
        let response = open(parameters, phase: mustWait && text == nil ? waiting : .quiet)
        if let text {
            deliver(response, BrainReply(speech: text))
        } else if !mustWait {
            if !isOutOfBand, parameters.input == nil { isAnswerOwed = false }
            think(response, otherwise: .unprompted)
        }
    }

    private func obstacle(isOutOfBand: Bool) -> RealtimeErrorInfo? {
        if !isOutOfBand, inBandId != nil {
            return RealtimeErrorInfo(
                message: "The conversation has an active response. Wait for its response.done, or cancel it.",
                code: "conversation_already_has_active_response")
        }
        let others = responses.count - (inBandId == nil ? 0 : 1)
        if isOutOfBand, others >= PipelineLimits.outOfBandResponses {
            return RealtimeErrorInfo(
                message: "\(others) responses outside the conversation are active. Wait for one of them.",
                type: "server_error", code: "rate_limit_exceeded")
        }
        return nil
    }

    private func problem(of parameters: ResponseParameters) -> RealtimeErrorInfo? {
        if let problem = parameters.firstProblem { return problem }
        if let problem = Self.unsupportedFormat(parameters.audioFormat, "response.audio.output.format") {
            return problem
        }
        if parameters.tools?.contains(where: { if case .mcp = $0 { true } else { false } }) ?? false {
            return .refusal("response.tools", "This server runs no MCP tools. Send function tools only.")
        }
        if hasProducedAudio, let voice = parameters.voice, voice != session.output.voice,
            parameters.conversation != ResponseParameters.Conversation.none
        {
            return RealtimeErrorInfo(
                message: "The voice is fixed once audio was produced.", code: "cannot_update_voice",
                param: "response.audio.output.voice")
        }
        if parameters.metadata?[Self.sayKey] == "1", Self.textToSay(in: parameters) == nil {
            return .refusal("response.input", "Send one message with the text to say as the input.")
        }
        let input = parameters.input ?? []
        if input.count > PipelineLimits.conversationItems {
            return .refusal("response.input", "Send at most \(PipelineLimits.conversationItems) items.")
        }
        for (index, item) in input.enumerated() {
            if let problem = problem(ofInput: item, at: "response.input[\(index)]") { return problem }
        }
        return nil
    }

    private func problem(ofInput item: ConversationItem, at path: String) -> RealtimeErrorInfo? {
        if case .itemReference = item.body {
            if let id = item.id, conversation[id] != nil { return nil }
            return .refusal("\(path).id", "No item of this conversation has that id.")
        }
        if let problem = rules.problem(of: item, at: path) { return problem }
        guard case .message(let message) = item.body else { return nil }
        let hasUnknownWords = message.content.contains { part in
            if case .inputAudio(_, let transcript) = part { transcript == nil } else { false }
        }
        return hasUnknownWords ? .refusal("\(path).content", "Send audio in input with its transcript.") : nil
    }

    /// The text that is read out as it is; nil when the response is not of that kind or its input is not one text.
    private static func textToSay(in parameters: ResponseParameters) -> String? {
        guard parameters.metadata?[sayKey] == "1", let input = parameters.input, input.count == 1,
            case .message(let message) = input[0].body, message.content.count == 1
        else { return nil }
        switch message.content[0] {
        case .inputText(let text), .outputText(let text): return text
        case .inputAudio, .inputImage, .outputAudio, .unknown: return nil
        }
    }

    /// Creates a response and announces it.
    mutating func open(_ parameters: ResponseParameters, phase: ActiveResponse.Phase) -> String {
        let isOutOfBand = parameters.conversation == ResponseParameters.Conversation.none
        let wanted = parameters.outputModalities?.first ?? session.outputModalities.first ?? .audio
        let response = ActiveResponse(
            id: makeId("resp_"), conversationId: isOutOfBand ? nil : conversationId,
            input: parameters.input.map(context(of:)), instructions: parameters.instructions ?? session.instructions,
            tools: (parameters.tools ?? session.tools).compactMap { tool in
                if case .function(let function) = tool { function } else { nil }
            },
            toolChoice: parameters.toolChoice ?? session.toolChoice,
            modality: profile.canSynthesize ? wanted : .text, voice: parameters.voice ?? session.output.voice,
            speed: session.output.speed, maxOutputTokens: parameters.maxOutputTokens ?? session.maxOutputTokens,
            metadata: parameters.metadata, phase: phase)
        responses[response.id] = response
        if !isOutOfBand {
            inBandId = response.id
            actions.work.append(.cancelTimer(.idle))
        }
        send(.responseCreated(response.wire(status: .inProgress)))
        if wanted == .audio, !profile.canSynthesize { reportMissingVoice() }
        return response.id
    }

    private mutating func reportMissingVoice() {
        guard !hasReportedMissingVoice else { return }
        hasReportedMissingVoice = true
        let message = "No speech synthesiser is installed, so answers come as text. Run Scripts/setup."
        send(.error(.server(code: "engine_unavailable", message: message)))
    }

    private func context(of input: [ConversationItem]) -> Conversation {
        var context = Conversation()
        for item in input {
            if case .itemReference = item.body {
                guard let id = item.id, var entry = conversation[id] else { continue }
                entry.isAnswered = false
                context.append(entry)
            } else {
                var entry = ConversationEntry(id: item.id ?? makeId("item_"), item: item)
                entry.arrived = now
                context.append(entry)
            }
            if let id = context.lastId { context.markAnswered(byReplayed: id) }
        }
        return context
    }

    /// Asks the brain for the answer; `occasion` holds when there is nothing new to answer.
    mutating func think(_ responseId: String, otherwise occasion: BrainRequest.Occasion) {
        guard let response = responses[responseId] else { return }
        if response.input == nil { conversation.reopenCutAnswer() }
        let (context, pending, pendingIds) = (response.input ?? conversation).brainMessages(at: now)
        let request = BrainRequest(
            occasion: pending.isEmpty ? occasion : .turn, instructions: response.instructions, context: context,
            pending: pending, tools: response.tools, toolChoice: response.toolChoice,
            maxTokens: response.maxOutputTokens.count)
        responses[responseId]?.phase = .thinking(pendingIds: response.input == nil ? pendingIds : [])
        if !response.isOutOfBand { turnClock?.asked(at: now) }
        actions.work.append(.think(responseId: responseId, request, isOutOfBand: response.isOutOfBand))
        actions.work.append(.schedule(.thinking(responseId: responseId), after: PipelineLimits.engineTimeout))
    }

    mutating func brainSpoke(_ responseId: String, _ text: String) {
        guard isBrainAwaited(responseId) else { return }
        // Each piece is progress.
        actions.work.append(.schedule(.thinking(responseId: responseId), after: PipelineLimits.engineTimeout))
        beginAnswer(responseId)
        say(responseId, text)
    }

    mutating func brainReplied(_ responseId: String, _ reply: BrainReply) {
        guard isBrainAwaited(responseId) else { return }
        actions.work.append(.cancelTimer(.thinking(responseId: responseId)))
        beginAnswer(responseId)
        deliver(responseId, reply)
    }

    mutating func brainFailed(_ responseId: String, _ error: BrainError) {
        guard isBrainAwaited(responseId), let phase = responses[responseId]?.phase else { return }
        actions.work.append(.cancelTimer(.thinking(responseId: responseId)))
        let error = RealtimeErrorInfo.server(code: error.code, message: error.message)
        if case .speaking = phase { breakOff(responseId, error) } else { fail(responseId, error) }
    }

    /// Whether the brain has not come to the end of an answer that is still wanted.
    private func isBrainAwaited(_ responseId: String) -> Bool {
        switch responses[responseId]?.phase {
        case .thinking: true
        case .speaking(let message, _): message.outcome == .pending
        case .awaitingTranscripts, .quiet, nil: false
        }
    }

    /// The brain has begun to answer: what it was asked counts as dealt with.
    private mutating func beginAnswer(_ responseId: String) {
        guard case .thinking(let pendingIds) = responses[responseId]?.phase else { return }
        if responseId == inBandId { turnClock?.replied(at: now) }
        for id in pendingIds { conversation.update(id) { $0.isAnswered = true } }
    }

    mutating func cancelResponse(_ responseId: String?, eventId: String?) {
        guard let id = responseId ?? inBandId, responses[id] != nil else {
            let error = RealtimeErrorInfo(
                message: "No response is active that could be cancelled.", code: "response_cancel_not_active")
            return refuse(error, eventId: eventId)
        }
        end(id, .cancelled, ResponseStatusDetails(type: .cancelled, reason: .clientCancelled))
    }

    mutating func fail(_ responseId: String, _ error: RealtimeErrorInfo) {
        end(responseId, .failed, ResponseStatusDetails(type: .failed, error: error))
    }

    /// Ends a response in any phase, exactly once: what is being sent is closed first, `response.done` comes last.
    mutating func end(_ responseId: String, _ status: ResponseStatus, _ details: ResponseStatusDetails?) {
        guard let response = responses[responseId] else { return }
        switch response.phase {
        case .awaitingTranscripts, .quiet: break
        case .thinking:
            actions.work.append(.cancelThinking(responseId: responseId))
            actions.work.append(.cancelTimer(.thinking(responseId: responseId)))
        case .speaking(let message, _):
            if message.outcome == .pending {
                actions.work.append(.cancelThinking(responseId: responseId))
                actions.work.append(.cancelTimer(.thinking(responseId: responseId)))
            }
            actions.work.append(.cancelSynthesis(responseId: responseId))
            actions.work.append(.cancelTimer(.synthesis(responseId: responseId)))
            finishMessage(responseId, status: .incomplete)
        }
        guard let ended = responses.removeValue(forKey: responseId) else { return }
        send(.responseDone(ended.wire(status: status, details: details)))
        guard inBandId == responseId else { return }
        inBandId = nil
        startIdleTime(after: ended)
    }

    /// Ends a response whose every sentence was said.
    mutating func conclude(_ responseId: String, _ ending: BrainEnding) {
        switch ending {
        case .complete: end(responseId, .completed, nil)
        case .tooLong:
            end(responseId, .incomplete, ResponseStatusDetails(type: .incomplete, reason: .maxOutputTokens))
        case .withheld:
            end(responseId, .incomplete, ResponseStatusDetails(type: .incomplete, reason: .contentFilter))
        }
    }

    /// The idle time begins when the answer has been played, which the client does not report.
    private mutating func startIdleTime(after response: ActiveResponse) {
        guard case .serverVAD(let vad) = session.input.turnDetection, let idle = vad.idleTimeoutMs, utterance == nil
        else { return }
        let playback = Duration.milliseconds(response.samples * 1_000 / PipelineLimits.sampleRate)
        actions.work.append(.schedule(.idle, after: playback + .milliseconds(idle)))
    }
}

extension TokenLimit {
    /// The number of tokens; nil for as many as the brain likes.
    fileprivate var count: Int? { if case .tokens(let count) = self { count } else { nil } }
}
