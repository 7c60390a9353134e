import GlassesDomain

extension SessionMachine {
    /// A call of an answer that is over is not run: the user has gone on. One from outside the conversation has no place for a result.
    mutating func toolCalled(_ callID: String, name: String, arguments: String, itemID: String, responseID: String) {
        guard let life = answer(responseID), !life.isOver, !life.isOutOfBand else {
            act(.diagnose(.lateAnswerEvent(responseID: responseID)))
            return
        }
        changeAnswer(responseID, .callCompleted(itemID: itemID))
        if !ledger.knows(callID) {
            let text = argumentsJSON(arguments)
            let content = ConversationHistory.Content.call(callID: callID, name: name, arguments: text, isKnown: true)
            history.place(itemID, after: nil, content: content, timestampMs: timestampMs)
        }
        applyLedger(.called(responseID: responseID, callID: callID, name: name, arguments: arguments))
    }

    /// What history keeps is always JSON: no arguments are an empty object, broken ones a string.
    private mutating func argumentsJSON(_ text: String) -> String {
        let parsed = ToolLedger.parse(text, &verdicts)
        return parsed.problem == nil && !text.allSatisfy(\.isWhitespace) ? text : parsed.value.jsonText
    }

    mutating func applyLedger(_ input: ToolLedgerInput) {
        for action in ledger.apply(input, at: now, verdicts: &verdicts) {
            switch action {
            case .announce(let callID, let name, let arguments):
                notify(.toolCalled(name: name, args: arguments, callId: callID))
            case .run(let callID, let name, let arguments):
                act(.tool(.run(callID: callID, name: name, arguments: arguments)))
            case .cancel(let callID): act(.tool(.cancel(callID: callID)))
            case .end(let outcome): toolEnded(outcome)
            case .schedule(let timer, let duration): schedule(timer, after: duration)
            case .cancelTimer(let timer): cancel(timer)
            case .requestFollowUp(let callIDs): requestFollowUp(callIDs)
            case .endConversation(let callID, let responseID): endConversation(callID, responseID)
            case .tell(let name, let note, let isAloud): tellProgress(of: name, note, isAloud)
            case .diagnose(let diagnostic): act(.diagnose(diagnostic))
            }
        }
    }

    /// The model reads how far a tool is; what is to be heard is spoken when nothing else is.
    private mutating func tellProgress(of name: String, _ note: String, _ isAloud: Bool) {
        guard state == .active else { return }
        send(.createItem(eventID: newID("note"), .systemText(id: newItemID(), text: "\(name) is running: \(note)")))
        if isAloud { applyGate(.wished(AnswerWish(purpose: .say(text: note)))) }
    }

    /// The user's words may call off what runs.
    mutating func callOffTools(by words: String) {
        if verdicts.flag(.cancelPhrase, cancelPhrases.isWhole(words)) { applyLedger(.calledOff) }
    }

    /// A result is a fact: it enters the history and the conversation whatever the user does meanwhile.
    private mutating func toolEnded(_ outcome: ToolOutcome) {
        let itemID = newItemID()
        let text = ToolOutput.wireText(outcome.output, isError: outcome.isError)
        let isKept = history.addOutput(itemID, callID: outcome.callID, text: text, timestampMs: timestampMs)
        if state == .active {
            if !isKept {
                let output = ConversationItem.functionCallOutput(id: itemID, callID: outcome.callID, output: text)
                send(.createItem(eventID: newID("create"), output))
            }
            sendUnsent()
            outputItems[outcome.callID] = itemID
        }
        notify(
            .toolResult(
                callId: outcome.callID, name: outcome.name, output: outcome.output, isError: outcome.isError,
                durationMs: outcome.duration.wholeMilliseconds))
    }

    private mutating func requestFollowUp(_ callIDs: [String]) {
        let items = Set(callIDs.compactMap { outputItems.removeValue(forKey: $0) })
        guard state == .active || state == .reconnecting else { return }
        applyGate(.wished(AnswerWish(purpose: .conversation, unacknowledgedItems: items)))
    }
}
