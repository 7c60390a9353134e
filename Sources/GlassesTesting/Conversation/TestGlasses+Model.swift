import GlassesDomain
import GlassesRealtime
import Synchronization

extension TestGlasses {
    /// The model answers with `text`, and it is heard to its end: 60 ms of sound for each character pass on the clock.
    public func modelSays(_ text: String) async throws {
        try await modelBeginsToSay(text)
        try await isHeard(beginStep("modelSays(\"\(text)\") is heard"))
    }

    /// The model answers with `text`; returns as soon as its first sound is audible, so that the next step can interrupt it.
    public func modelBeginsToSay(_ text: String) async throws {
        let step = beginStep("modelBeginsToSay(\"\(text)\")")
        let request = try await answerIsWanted(step)
        try await speak(text, request, step)
    }

    /// The app has a text spoken word for word, outside the conversation (`session.say`, a spoken greeting), and it is heard to its end.
    /// Answers the text; throws when it is not `text`, unless that is nil.
    @discardableResult
    public func appSays(_ text: String? = nil) async throws -> String {
        let step = beginStep("appSays(\(text.map { "\"\($0)\"" } ?? ""))")
        let request = try await wait(step, "The app did not ask for a text to be spoken.") {
            self.takeAnswer { $0.isOutOfBand && $0.text != nil }
        }
        let spoken = request.text ?? ""
        if let text, text != spoken {
            throw ConversationFailure(kind: .unexpected, step: step, reason: "The app said \"\(spoken)\".")
        }
        try await speak(spoken, request, step)
        try await isHeard(step)
        return spoken
    }

    /// The model calls one tool and gets its outcome.
    @discardableResult
    public func modelCalls(_ tool: String, _ arguments: JSONValue = [:]) async throws -> ToolOutcome {
        try await modelCalls([ToolRequest(tool, arguments)])[0]
    }

    /// The model calls several tools in one answer and gets their outcomes, in the same order. The calls run side by side; a body that
    /// waits for the clock needs ``advance(by:)`` from another task.
    public func modelCalls(_ calls: [ToolRequest]) async throws -> [ToolOutcome] {
        let step = beginStep("modelCalls(\(calls.map { "\"\($0.name)\"" }.joined(separator: ", ")))")
        let request = try await answerIsWanted(step)
        let response = newName("resp")
        say(.responseCreated(answer(response, request, .inProgress)))
        let items = calls.map { call in
            ConversationItem(
                id: newName("call_item"), status: .completed,
                body: .functionCall(
                    FunctionCallItem(
                        name: call.name, arguments: call.arguments.jsonText, callId: newName("call"))))
        }
        for (index, item) in items.enumerated() {
            say(.responseOutputItemAdded(OutputItem(responseId: response, outputIndex: index, item: item)))
            say(.responseOutputItemDone(OutputItem(responseId: response, outputIndex: index, item: item)))
        }
        say(.responseDone(answer(response, request, .completed, output: items)))
        var outcomes: [ToolOutcome] = []
        for (item, call) in zip(items, calls) { outcomes.append(try await outcome(of: item, call, step)) }
        return outcomes
    }

    private func outcome(
        of item: ConversationItem, _ call: ToolRequest, _ step: String
    ) async throws -> ToolOutcome {
        guard case .functionCall(let function) = item.body else {
            throw ConversationFailure(kind: .misuse, step: step, reason: "\(call.name) is no call.")
        }
        let output = try await wait(step, "The app did not answer the call of \(call.name); its body still runs.") {
            self.storage.withLock { storage in
                storage.requests.read(self.provider.connections.last)
                return storage.requests.takeOutput(function.callId)
            }
        }
        let told = try await wait(step, "Nothing was told of the call of \(call.name).") {
            self.events.compactMap { event -> ToolOutcome? in
                guard case .toolResult(function.callId, _, let text, let isError, _) = event else { return nil }
                return ToolOutcome(output: text, isError: isError)
            }.first
        }
        return told.isError ? told : ToolOutcome(output: output, isError: false)
    }

    // MARK: - Answers

    /// An answer that the app asked for, or that the provider gives by itself because the user spoke.
    private func answerIsWanted(_ step: String) async throws -> ModelRequests.Answer {
        try await wait(
            step, "Nobody asked the model: the user has said nothing, and the app asked for no answer."
        ) {
            if let request = self.takeAnswer(where: { !$0.isOutOfBand || $0.text == nil }) { return request }
            return self.storage.withLock { storage in
                guard storage.owesAnswer else { return nil }
                storage.owesAnswer = false
                return ModelRequests.Answer(text: nil, isOutOfBand: false, metadata: nil)
            }
        }
    }

    private func takeAnswer(where fits: (ModelRequests.Answer) -> Bool) -> ModelRequests.Answer? {
        storage.withLock { storage in
            storage.requests.read(provider.connections.last)
            return storage.requests.takeAnswer(where: fits)
        }
    }

    private func answer(
        _ id: String, _ request: ModelRequests.Answer, _ status: ResponseStatus, output: [ConversationItem] = []
    ) -> RealtimeResponse {
        RealtimeResponse(
            id: id, status: status, output: output, conversationId: request.isOutOfBand ? nil : "conv",
            metadata: request.metadata)
    }

    private static let millisecondsPerCharacter = 60
    private static let deltaMilliseconds = 100

    private func speak(_ text: String, _ request: ModelRequests.Answer, _ step: String) async throws {
        let (response, item) = (newName("resp"), newName("item"))
        let place = PartReference(responseId: response, itemId: item)
        let message = ConversationItem(
            id: item, status: .inProgress, body: .message(MessageItem(role: .assistant, content: [])))
        let before = startedCount
        say(.responseCreated(answer(response, request, .inProgress)))
        say(.responseOutputItemAdded(OutputItem(responseId: response, item: message)))
        if !request.isOutOfBand { say(.conversationItemAdded(ItemPlacement(item: message, previousItemId: nil))) }
        say(.responseOutputAudioTranscriptDelta(OutputText(place: place, text: text)))
        let length = max(300, text.count * Self.millisecondsPerCharacter)
        for start in stride(from: 0, to: length, by: Self.deltaMilliseconds) {
            let frames = 24 * min(Self.deltaMilliseconds, length - start)
            // A square wave of 600 Hz: loud enough for a meter.
            let samples = (0..<frames).map { Int16($0 / 20 % 2 == 0 ? 4_000 : -4_000) }
            let block = PCMBlock(samples: samples, sampleRate: 24_000)
            say(.responseOutputAudioDelta(OutputAudio(place: place, audio: block.littleEndianBytes)))
        }
        say(.responseOutputAudioDone(OutputAudioDone(place: place, audioMs: length)))
        say(.responseOutputAudioTranscriptDone(OutputText(place: place, text: text)))
        say(.responseDone(answer(response, request, .completed)))
        // An answer that follows another one of the same turn has no beginning of its own.
        try await wait(step, "The answer did not become audible; the session is \(self.stateName).") {
            self.clock.advance(by: .milliseconds(10))
            return self.startedCount > before || self.isAudible
        }
    }

    private var startedCount: Int { events.count { $0 == .assistantAudioStarted } }

    private var isAudible: Bool { startedCount > events.count { $0 == .assistantAudioFinished } }

    private func isHeard(_ step: String) async throws {
        // The longest text that makes sense in a test takes a few minutes of the clock.
        for _ in 0..<30_000 where isAudible && device.simulatedSpeaker.isBusy {
            clock.advance(by: .milliseconds(20))
            await settle()
        }
        await settle()
    }
}
