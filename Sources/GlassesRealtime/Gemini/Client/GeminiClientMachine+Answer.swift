import GlassesDomain

extension GeminiClientMachine {
    /// The first sign of an answer.
    mutating func beginAnswer() {
        guard answer == nil else { return }
        handle = nil
        if let utterance, !utterance.isStopped {
            stopUtterance()
        } else if request == nil, !isTurnOpen, !hasUserTurn, !isManual {
            // The server answers something that it has said nothing about.
            beginUtterance(at: nil)
            stopUtterance()
        }
        hasUserTurn = false
        isTurnOpen = true
        awaitsTurnEnd = false
        let begun = GeminiAnswer(id: newId("resp"), request: request ?? GeminiRequest())
        request = nil
        answer = begun
        deliver(.responseCreated(response(of: begun, .inProgress)))
    }

    private func response(of answer: GeminiAnswer, _ status: ResponseStatus) -> RealtimeResponse {
        var response = RealtimeResponse(
            id: answer.id, status: status, output: answer.output,
            conversationId: answer.request.isOutOfBand ? nil : conversationId, metadata: answer.request.metadata)
        response.outputModalities = session.outputModalities
        response.audioFormat = session.output.format
        response.voice = session.output.voice
        return response
    }

    // MARK: - Messages

    /// Adds a piece of audio to the message that is spoken.
    mutating func speak(_ audio: [UInt8]) {
        guard let message = openMessage(isSpoken: true), !message.isAudioDone else { return }
        answer?.message?.audioBytes += audio.count
        deliver(.responseOutputAudioDelta(OutputAudio(place: message.place, audio: audio)))
    }

    /// Adds words to the message: spoken ones to its transcript, others to its text.
    mutating func write(_ words: String, isSpoken: Bool) {
        guard !words.isEmpty, let message = openMessage(isSpoken: isSpoken),
            message.words.utf8.count + words.utf8.count <= Self.wordsLimit
        else { return }
        answer?.message?.words += words
        let text = OutputText(place: message.place, text: words)
        deliver(isSpoken ? .responseOutputAudioTranscriptDelta(text) : .responseOutputTextDelta(text))
    }

    private mutating func openMessage(isSpoken: Bool) -> GeminiAnswer.Message? {
        beginAnswer()
        if let message = answer?.message { return message.isSpoken == isSpoken ? message : nil }
        guard let answer else { return nil }
        let place = PartReference(responseId: answer.id, itemId: newId("item"), outputIndex: answer.output.count)
        let message = GeminiAnswer.Message(place: place, previousItemId: ledger.last, isSpoken: isSpoken)
        self.answer?.message = message
        let item = message.item(.inProgress)
        deliver(
            .responseOutputItemAdded(OutputItem(responseId: answer.id, outputIndex: place.outputIndex, item: item)))
        if !answer.request.isOutOfBand {
            deliver(.conversationItemAdded(ItemPlacement(item: item, previousItemId: message.previousItemId)))
            ledger.keep(item)
        }
        deliver(.responseContentPartAdded(OutputContentPart(place: place, part: message.part)))
        return message
    }

    /// All audio has come; words may still follow.
    mutating func endAudio() {
        guard let message = answer?.message, message.isSpoken, !message.isAudioDone else { return }
        answer?.message?.isAudioDone = true
        deliver(.responseOutputAudioDone(OutputAudioDone(place: message.place, audioMs: message.audioMs)))
    }

    private mutating func endMessage(_ status: ItemStatus) {
        endAudio()
        guard let answer, let message = answer.message else { return }
        self.answer?.message = nil
        let text = OutputText(place: message.place, text: message.words)
        deliver(message.isSpoken ? .responseOutputAudioTranscriptDone(text) : .responseOutputTextDone(text))
        deliver(.responseContentPartDone(OutputContentPart(place: message.place, part: message.part)))
        let item = message.item(status)
        if !answer.request.isOutOfBand {
            ledger.keep(item, audioMs: message.isSpoken ? message.audioMs : nil)
            deliver(.conversationItemDone(ItemPlacement(item: item, previousItemId: message.previousItemId)))
        }
        deliver(
            .responseOutputItemDone(
                OutputItem(responseId: answer.id, outputIndex: message.place.outputIndex, item: item)))
        self.answer?.output.append(item)
    }

    // MARK: - Calls

    /// The model wants functions called; its answer is over with that, though its turn is not.
    mutating func call(_ wanted: [GeminiFunctionCall]) {
        beginAnswer()
        endMessage(.completed)
        for call in wanted { deliver(call) }
        endAnswer(.completed)
    }

    private mutating func deliver(_ call: GeminiFunctionCall) {
        guard let answer else { return }
        // A call without an id gets one of ours, so that its result finds it.
        let callId = call.id.isEmpty ? newId("call") : call.id
        calls.began(callId, name: call.name, isOpen: true)
        let arguments = call.arguments.jsonText
        let itemId = newId("item")
        let index = answer.output.count
        let reference = CallReference(responseId: answer.id, itemId: itemId, outputIndex: index, callId: callId)
        let previous = ledger.last
        func item(_ status: ItemStatus, _ arguments: String) -> ConversationItem {
            ConversationItem(
                id: itemId, status: status,
                body: .functionCall(FunctionCallItem(name: call.name, arguments: arguments, callId: callId)))
        }
        let begun = item(.inProgress, "")
        deliver(.responseOutputItemAdded(OutputItem(responseId: answer.id, outputIndex: index, item: begun)))
        deliver(.conversationItemAdded(ItemPlacement(item: begun, previousItemId: previous)))
        deliver(.responseFunctionCallArgumentsDelta(FunctionArgumentsDelta(call: reference, delta: arguments)))
        deliver(
            .responseFunctionCallArgumentsDone(
                FunctionArgumentsDone(call: reference, name: call.name, arguments: arguments)))
        let done = item(.completed, arguments)
        ledger.keep(done)
        deliver(.conversationItemDone(ItemPlacement(item: done, previousItemId: previous)))
        deliver(.responseOutputItemDone(OutputItem(responseId: answer.id, outputIndex: index, item: done)))
        self.answer?.output.append(done)
    }

    // MARK: - The end

    mutating func endAnswer(
        _ status: ResponseStatus, reason: ResponseEndReason? = nil, error: RealtimeErrorInfo? = nil
    ) {
        endMessage(status == .completed ? .completed : .incomplete)
        guard let ended = answer else { return }
        answer = nil
        var response = response(of: ended, status)
        if status != .completed {
            response.statusDetails = ResponseStatusDetails(type: status, reason: reason, error: error)
        }
        response.usage = usage.map(Usage.init)
        usage = nil
        deliver(.responseDone(response))
    }
}

extension Usage {
    /// The tokens as Gemini Live counts them.
    fileprivate init(_ usage: GeminiUsage) {
        func details(_ counts: [String: Int]) -> TokenDetails? {
            guard !counts.isEmpty else { return nil }
            return TokenDetails(
                textTokens: counts["TEXT"] ?? 0, audioTokens: counts["AUDIO"] ?? 0, imageTokens: counts["IMAGE"] ?? 0)
        }
        self.init(
            inputTokens: usage.promptTokens, outputTokens: usage.responseTokens, totalTokens: usage.totalTokens,
            inputDetails: details(usage.promptDetails), outputDetails: details(usage.responseDetails))
    }
}
