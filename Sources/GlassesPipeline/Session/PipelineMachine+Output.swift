import GlassesDomain
import GlassesRealtime

extension PipelineMachine {
    /// Sends a reply, or what is left of it: the message sentence by sentence, then the calls, then `response.done`.
    mutating func deliver(_ responseId: String, _ reply: BrainReply) {
        let calls = Array(reply.calls.prefix(PipelineLimits.callsPerAnswer))
        responses[responseId]?.usage = reply.usage
        addSpeech(responseId, reply.speech ?? "")
        guard case .speaking(var message, _) = responses[responseId]?.phase else {
            return finishDelivery(responseId, calls, reply.ending)
        }
        message.outcome = .ended(reply.ending)
        responses[responseId]?.phase = .speaking(message, calls: calls)
        goOn(responseId)
    }

    /// Sends the next sentences of an answer that is still being made.
    mutating func say(_ responseId: String, _ text: String) {
        addSpeech(responseId, text)
        goOn(responseId)
    }

    /// An answer whose beginning was heard has no end: what is here of it is said, and then it has failed.
    mutating func breakOff(_ responseId: String, _ error: RealtimeErrorInfo) {
        guard case .speaking(var message, let calls) = responses[responseId]?.phase else { return }
        message.outcome = .failed(error)
        responses[responseId]?.phase = .speaking(message, calls: calls)
        goOn(responseId)
    }

    /// Adds words to the message, which begins with the first that is not blank.
    private mutating func addSpeech(_ responseId: String, _ text: String) {
        guard let response = responses[responseId] else { return }
        let speech = String(text.prefix(PipelineLimits.answerCharacters - response.characters))
        let isBlank = !speech.contains { !$0.isWhitespace }
        if case .speaking(var message, let calls) = response.phase {
            if !isBlank { message.remaining.append(contentsOf: SentenceSplitter.pieces(of: speech)) }
            responses[responseId]?.phase = .speaking(message, calls: calls)
        } else if !isBlank {
            beginMessage(responseId, speech, [])
        }
        responses[responseId]?.characters += speech.count
    }

    /// Says what waits to be said.
    private mutating func goOn(_ responseId: String) {
        guard let response = responses[responseId], case .speaking(let message, _) = response.phase else { return }
        if response.modality != .audio {
            writeSentences(responseId)
        } else if !message.isSpeaking {
            speakNextSentence(responseId)
        }
    }

    private mutating func beginMessage(_ responseId: String, _ speech: String, _ calls: [BrainFunctionCall]) {
        guard let response = responses[responseId] else { return }
        let message = MessageItem(role: .assistant, content: [])
        let entry = ConversationEntry(id: makeId("item_"), body: .message(message), status: .inProgress)
        let place = PartReference(responseId: responseId, itemId: entry.id, outputIndex: response.output.count)
        let pieces = SentenceSplitter.pieces(of: speech)
        responses[responseId]?.phase = .speaking(OutputMessage(place: place, remaining: pieces[...]), calls: calls)
        addOutputItem(entry, of: response)
        send(.responseContentPartAdded(OutputContentPart(place: place, part: response.part(""))))
    }

    private mutating func addOutputItem(_ entry: ConversationEntry, of response: ActiveResponse) {
        let item = OutputItem(responseId: response.id, outputIndex: response.output.count, item: entry.item)
        send(.responseOutputItemAdded(item))
        guard !response.isOutOfBand else { return }
        let placement = ItemPlacement(item: entry.item, previousItemId: conversation.lastId)
        conversation.append(entry)
        send(.conversationItemAdded(placement))
    }

    /// `conversation.item.done` and `response.output_item.done`; an item that the client deleted is done for the
    /// response only.
    private mutating func completeOutputItem(_ item: ConversationItem, of response: ActiveResponse) {
        if let id = item.id, conversation[id] != nil {
            send(.conversationItemDone(ItemPlacement(item: item, previousItemId: conversation.predecessor(of: id))))
        }
        send(
            .responseOutputItemDone(OutputItem(responseId: response.id, outputIndex: response.output.count, item: item))
        )
        responses[response.id]?.output.append(item)
    }

    private mutating func writeSentences(_ responseId: String) {
        guard case .speaking(var message, let calls) = responses[responseId]?.phase else { return }
        for sentence in message.remaining {
            message.spoken.begin(sentence)
            send(.responseOutputTextDelta(OutputText(place: message.place, text: sentence)))
        }
        message.remaining = []
        responses[responseId]?.phase = .speaking(message, calls: calls)
        concludeMessage(responseId)
    }

    /// Everything that is here was said: ends the message, unless the brain still makes the rest.
    private mutating func concludeMessage(_ responseId: String) {
        guard case .speaking(let message, let calls) = responses[responseId]?.phase else { return }
        switch message.outcome {
        case .pending: break
        case .ended(let ending):
            finishMessage(responseId, status: ending == .complete ? .completed : .incomplete)
            finishDelivery(responseId, calls, ending)
        case .failed(let error): fail(responseId, error)
        }
    }

    private mutating func speakNextSentence(_ responseId: String) {
        guard let response = responses[responseId], case .speaking(var message, let calls) = response.phase else {
            return
        }
        guard let sentence = message.remaining.popFirst() else { return concludeMessage(responseId) }
        message.isSpeaking = true
        message.spoken.begin(sentence)
        setMessage(message, calls, of: responseId)
        responses[responseId]?.sentenceCount += 1
        send(.responseOutputAudioTranscriptDelta(OutputText(place: message.place, text: sentence)))
        let voice: String? =
            switch response.voice {
            case .named(let name): name
            case .custom, nil: nil
            }
        let id = SentenceID(responseId: responseId, index: response.sentenceCount)
        actions.work.append(.synthesize(id, text: sentence.trimmed, voice: voice, speed: response.speed))
        actions.work.append(.schedule(.synthesis(responseId: responseId), after: PipelineLimits.engineTimeout))
    }

    /// Keeps a message's progress, in the conversation too, where truncation needs it.
    private mutating func setMessage(_ message: OutputMessage, _ calls: [BrainFunctionCall], of responseId: String) {
        responses[responseId]?.phase = .speaking(message, calls: calls)
        guard responses[responseId]?.modality == .audio else { return }
        conversation.update(message.place.itemId) { $0.spoken = message.spoken }
    }

    /// The response and message that a fact about a sentence concerns; nil for one that is over.
    private func current(
        _ sentence: SentenceID
    ) -> (response: ActiveResponse, message: OutputMessage, calls: [BrainFunctionCall])? {
        guard let response = responses[sentence.responseId], case .speaking(let message, let calls) = response.phase,
            sentence.index == response.sentenceCount - 1
        else { return nil }
        return (response, message, calls)
    }

    mutating func audioSynthesized(_ sentence: SentenceID, _ samples: [Int16]) {
        guard let (_, begun, calls) = current(sentence), !samples.isEmpty else { return }
        var message = begun
        hasProducedAudio = true
        countPlayback(samples.count, of: sentence)
        message.spoken.add(samples: samples.count)
        setMessage(message, calls, of: sentence.responseId)
        responses[sentence.responseId]?.samples += samples.count
        conversation.update(message.place.itemId) { entry in
            if entry.cut == nil { entry.audio.append(contentsOf: samples) }
        }
        var rest = samples[...]
        while !rest.isEmpty {
            let piece = PCMBlock(
                samples: Array(rest.prefix(PipelineLimits.deltaSamples)), sampleRate: PipelineLimits.sampleRate)
            rest = rest.dropFirst(PipelineLimits.deltaSamples)
            send(.responseOutputAudioDelta(OutputAudio(place: message.place, audio: piece.littleEndianBytes)))
        }
        let timer = PipelineTimer.synthesis(responseId: sentence.responseId)
        actions.work.append(.schedule(timer, after: PipelineLimits.engineTimeout))
    }

    /// The client is taken to play from the first sample on; what it holds back makes an answer that is heard look shorter.
    private mutating func countPlayback(_ samples: Int, of sentence: SentenceID) {
        if sentence.responseId == inBandId, let stages = turnClock?.stages(at: now) {
            actions.notices.append(.turnAnswered(stages))
            turnClock = nil
        }
        let length = Duration.milliseconds(samples * 1_000 / PipelineLimits.sampleRate)
        playsUntil = max(playsUntil, now).advanced(by: length)
    }

    mutating func synthesisHeldBack(_ sentence: SentenceID) {
        guard current(sentence) != nil else { return }
        actions.work.append(.cancelTimer(.synthesis(responseId: sentence.responseId)))
    }

    mutating func synthesisFinished(_ sentence: SentenceID) {
        guard let (_, begun, calls) = current(sentence) else { return }
        var message = begun
        message.spoken.completeSentence()
        message.isSpeaking = false
        setMessage(message, calls, of: sentence.responseId)
        actions.work.append(.cancelTimer(.synthesis(responseId: sentence.responseId)))
        speakNextSentence(sentence.responseId)
    }

    mutating func synthesisFailed(_ sentence: SentenceID, _ error: SpeechEngineError) {
        guard current(sentence) != nil else { return }
        fail(sentence.responseId, .server(code: error.code, message: error.message))
    }

    /// Closes the message that is being sent.
    mutating func finishMessage(_ responseId: String, status: ItemStatus) {
        guard let response = responses[responseId], case .speaking(let message, _) = response.phase else { return }
        responses[responseId]?.phase = .quiet
        let (place, text) = (message.place, message.spoken.text)
        if response.modality == .audio {
            let milliseconds = message.spoken.samples * 1_000 / PipelineLimits.sampleRate
            send(.responseOutputAudioDone(OutputAudioDone(place: place, audioMs: milliseconds)))
            send(.responseOutputAudioTranscriptDone(OutputText(place: place, text: text)))
        } else {
            send(.responseOutputTextDone(OutputText(place: place, text: text)))
        }
        send(.responseContentPartDone(OutputContentPart(place: place, part: response.part(text))))
        var item = ConversationItem(
            id: place.itemId, status: status,
            body: .message(MessageItem(role: .assistant, content: [response.part(text)])))
        conversation.update(place.itemId) { entry in
            entry.item = item
            // What the client cut while the answer was still being made stays cut; words without sound were not said.
            let end = entry.cut ?? (status == .incomplete ? message.spoken.samples : nil)
            if let end, entry.spoken != nil { entry.setTranscript(message.spoken.heard(upTo: end)) }
            item = entry.item
        }
        completeOutputItem(item, of: response)
    }

    private mutating func finishDelivery(
        _ responseId: String, _ calls: [BrainFunctionCall], _ ending: BrainEnding
    ) {
        responses[responseId]?.phase = .quiet
        for call in calls { sendCall(call, of: responseId) }
        conclude(responseId, ending)
    }

    private mutating func sendCall(_ call: BrainFunctionCall, of responseId: String) {
        guard let response = responses[responseId] else { return }
        let callId = makeId("call_")
        let begun = FunctionCallItem(name: call.name, arguments: "", callId: callId)
        let entry = ConversationEntry(id: makeId("item_"), body: .functionCall(begun), status: .inProgress)
        addOutputItem(entry, of: response)
        let reference = CallReference(
            responseId: responseId, itemId: entry.id, outputIndex: response.output.count, callId: callId)
        send(.responseFunctionCallArgumentsDelta(FunctionArgumentsDelta(call: reference, delta: call.arguments)))
        send(
            .responseFunctionCallArgumentsDone(
                FunctionArgumentsDone(call: reference, name: call.name, arguments: call.arguments)))
        var item = entry.item
        item.status = .completed
        item.body = .functionCall(FunctionCallItem(name: call.name, arguments: call.arguments, callId: callId))
        conversation.update(entry.id) { $0.item = item }
        completeOutputItem(item, of: response)
    }
}

extension ActiveResponse {
    /// The content part of its message with the given words.
    fileprivate func part(_ text: String) -> ContentPart {
        modality == .audio ? .outputAudio(audio: nil, transcript: text) : .outputText(text)
    }
}

extension String {
    /// Without the white space around it.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
