import GlassesDomain

extension SessionMachine {
    mutating func serverReported(_ fact: ServerFact, on id: ConnectionID) {
        if let second, second.id == id { return secondReported(fact, second) }
        switch link {
        case .configuring(id, _), .replaying(id, _), .open(id): lastWord = now
        case .none, .waiting, .opening, .configuring, .replaying, .open, .closing, .replacing: return
        }
        switch fact {
        case .sessionCreated(let facts): learn(facts)
        case .sessionUpdated(let facts):
            learn(facts)
            if case .configuring(id, _) = link { sessionAccepted(id) } else { choicesTaken() }
        case .speechStarted(_, let startMs): speechStarted(startMs)
        case .speechStopped(_, let endMs):
            speech.endMs = endMs
            speechStopped()
        case .utteranceCommitted(let itemID, let previous): utteranceCommitted(itemID, after: previous)
        case .itemAdded(let itemID, let previous, let kind): itemAdded(itemID, after: previous, kind, on: id)
        case .userTranscriptCompleted(let itemID, let text): userSpoke(itemID, text)
        // The utterance stays in its place without words; the provider has heard it all the same.
        case .userTranscriptFailed(let itemID, _):
            forgetSpeech(itemID)
            judgeWords("", of: itemID)
        case .answerCreated(let responseID, let metadata, let isOutOfBand):
            answerCreated(responseID, metadata: metadata, isOutOfBand: isOutOfBand, on: id)
        case .answerItemAdded(let responseID, let itemID, let kind): answerItemAdded(responseID, itemID, kind)
        case .answerAudioReceived(let segment, let frames):
            changeAnswer(segment.responseID, .audioReceived(segment, frames: frames))
        case .answerAudioDone(let segment): changeAnswer(segment.responseID, .audioDone(segment))
        case .answerTranscriptReceived(let segment, let text):
            changeAnswer(segment.responseID, .transcriptReceived(segment, text: text))
        case .answerTranscriptDone(let segment, let text):
            if changeAnswer(segment.responseID, .transcriptDone(segment, text: text)) { assistantSpoke(text) }
        case .answerTextReceived(let segment, let text):
            changeAnswer(segment.responseID, .textReceived(segment, text: text))
        case .answerTextDone(let segment, let text):
            if changeAnswer(segment.responseID, .textDone(segment, text: text)) {
                assistantSpoke(text)
                applyLedger(.answerHeard(responseID: segment.responseID))
            }
        case .functionCallCompleted(let responseID, let itemID, let callID, let name, let arguments):
            toolCalled(callID, name: name, arguments: arguments, itemID: itemID, responseID: responseID)
        case .answerDone(let responseID, let status): answerDone(responseID, status)
        case .errorReported(let code, let message, let eventID): errorReported(code, message, eventID, on: id)
        }
    }

    private mutating func learn(_ facts: ServerSessionFacts) {
        let earlier = server.expiresAt
        server.learn(facts)
        endAnnounced(before: earlier)
    }

    // MARK: - The user

    private mutating func speechStarted(_ startMs: Int?) {
        guard uplink != nil, !isPushToTalk else { return }
        microphoneHeard()
        keepSpeech(from: startMs)
        reconnect.succeed()
        isUserSpeaking = true
        schedule(.utterance, after: Limits.utterance)
        meetSpeech()
        applyGate(.holdBegan(.userSpeaking))
    }

    mutating func speechStopped() {
        guard isUserSpeaking else { return }
        isUserSpeaking = false
        cancel(.utterance)
        overlapStopped()
        if server.createsResponse != false {
            applyGate(.holdBegan(.serverAnswerExpected))
            schedule(.serverAnswer, after: Limits.serverAnswer)
        }
        applyGate(.holdEnded(.userSpeaking))
    }

    private mutating func utteranceCommitted(_ itemID: String, after previous: String?) {
        guard pushedTurn != .open else { return earlierTurnCommitted(itemID, after: previous) }
        speechStopped()
        commitSpeech(itemID)
        pushedTurnTaken()
        wasTouched = true
        history.place(itemID, after: previous, content: .user(text: nil, isKnown: true), timestampMs: timestampMs)
        guard isTurn(itemID) else { return }
        repeats = 0
        stayInConversation()
        applyLedger(.userTurned)
        if isPushToTalk, configuration.capabilities?.answersCommits == true {
            applyGate(.holdBegan(.serverAnswerExpected))
            schedule(.serverAnswer, after: Limits.serverAnswer)
        } else if server.createsResponse == false || isPushToTalk {
            applyGate(.wished(AnswerWish(purpose: .conversation)))
        }
    }

    /// The user has pushed again before the provider's word about the turn before came: the open turn goes on.
    private mutating func earlierTurnCommitted(_ itemID: String, after previous: String?) {
        wasTouched = true
        history.place(itemID, after: previous, content: .user(text: nil, isKnown: true), timestampMs: timestampMs)
        repeats = 0
        applyLedger(.userTurned)
        applyGate(.wished(AnswerWish(purpose: .conversation)))
    }

    mutating func userSpoke(_ itemID: String, _ text: String) {
        forgetSpeech(itemID)
        let words = Self.trimmed(text)
        judgeWords(words, of: itemID)
        guard !words.isEmpty else { return }
        wasTouched = true
        if !history.contains(itemID) {
            history.place(itemID, after: nil, content: .user(text: nil, isKnown: true), timestampMs: timestampMs)
        }
        history.setUserText(itemID, words, &verdicts)
        notify(.userSpoke(transcript: words))
        callOffTools(by: words)
        if verdicts.flag(.sleepPhrase, phrases.matches(words)) {
            // Dealt with: replayed at the next wake, it would be answered then.
            history.remove(itemID)
            sleepByItself(.requested)
        }
    }

    static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    // MARK: - Items

    private mutating func itemAdded(
        _ itemID: String, after previous: String?, _ kind: ServerItemKind, on id: ConnectionID
    ) {
        unacknowledged.removeAll { $0 == itemID }
        if case .replaying(id, var awaited) = link {
            // A replayed item stands where it stood; the provider has it at the end of a conversation that is empty but for the replay.
            guard awaited.removeValue(forKey: itemID) == nil else {
                replayProceeded(id, awaited)
                endCalls(awaiting: itemID)
                return
            }
        }
        let isFrame = video.taken(itemID)
        let content: ConversationHistory.Content =
            switch kind {
            // Nothing that was said: it only stands between others.
            case .userMessage where isFrame: .other
            case .assistantMessage where corrections.contains(itemID): .other
            case .userMessage: .user(text: nil, isKnown: true)
            case .assistantMessage: .assistant(words: "", heard: "", wasCut: false)
            case .functionCall, .functionCallOutput, .other: .other
            }
        history.place(itemID, after: previous, content: content, timestampMs: timestampMs)
        endCalls(awaiting: itemID)
        for call in outputItems.filter({ $0.value == itemID }).keys { outputItems[call] = nil }
        applyGate(.itemAcknowledged(itemID: itemID))
    }

    mutating func endCalls(awaiting itemID: String, _ outcome: OperationOutcome = .succeeded) {
        let waiting = calls.filter { if case .item(itemID, _) = $0.value { true } else { false } }
        for id in waiting.keys { endCall(id, outcome) }
    }

    private mutating func answerItemAdded(_ responseID: String, _ itemID: String, _ kind: ServerItemKind) {
        guard changeAnswer(responseID, .itemAdded(itemID: itemID, kind: kind)) else {
            // Nobody will hear what an answer adds after it was cut.
            if cut.contains(responseID) { send(.deleteItem(eventID: newID("delete"), itemID: itemID)) }
            return
        }
        guard kind == .assistantMessage, answer(responseID)?.isOutOfBand == false else { return }
        placeAssistant(itemID)
    }

    // MARK: - Errors

    private mutating func errorReported(_ code: String?, _ message: String, _ eventID: String?, on id: ConnectionID) {
        if case .configuring(id, let awaited) = link, awaited == eventID {
            let closure = ConnectionClosure(code: code ?? "session_refused", message: message)
            abandonAttempt(
                id, closure, event: .gaveUp,
                failure: .providerError(code: code ?? "session_refused", message: message))
            return
        }
        if case .replaying(id, var awaited) = link, let entry = awaited.first(where: { $0.value == eventID }) {
            act(.diagnose(.commandRefused(code: code)))
            let failure = SessionFailure.providerError(code: code ?? "provider_error", message: message)
            history.refusePicture(entry.key)
            endCalls(awaiting: entry.key, .failed(failure))
            awaited[entry.key] = nil
            replayProceeded(id, awaited)
            return
        }
        if code == Self.sessionExpiredCode {
            // The close that follows is the news.
            hasSessionExpired = true
        } else if let request = refusedRequest(code, eventID) {
            refuseRequest(request, code, message)
        } else if let call = calls.first(where: { $0.value.eventID != nil && $0.value.eventID == eventID }) {
            if case .item(let itemID, _) = call.value { history.refusePicture(itemID) }
            endCall(call.key, .failed(.providerError(code: code ?? "provider_error", message: message)))
        } else if video.refused(eventID: eventID) {
            blindness.isVideoRefused = true
            tellVideoUnsupported(message)
        } else if pushedTurnRefused(code, message, eventID) {
            act(.diagnose(.commandRefused(code: code)))
        } else if isHarmless(code, eventID) {
            act(.diagnose(.commandRefused(code: code)))
        } else {
            notify(.error(kind: code ?? "provider_error", message: message))
        }
    }

    private func refusedRequest(_ code: String?, _ eventID: String?) -> String? {
        if let eventID { return gate.awaitsVerdict(on: eventID) ? eventID : nil }
        return code == Self.activeResponseCode ? gate.requestInFlight : nil
    }

    private static let sessionExpiredCode = "session_expired"
    private static let activeResponseCode = "conversation_already_has_active_response"

    private mutating func refuseRequest(_ request: String, _ code: String?, _ message: String) {
        let isActive = code == Self.activeResponseCode
        removeRequestedAnswer()
        let failure = SessionFailure.providerError(code: code ?? "provider_error", message: message)
        applyGate(.refused(requestID: request, isActiveResponse: isActive), failure: failure, tellsApp: true)
    }

    /// The session goes on as it was when one of these is refused: there was nothing left to cut, or it is shorter than we thought.
    private func isHarmless(_ code: String?, _ eventID: String?) -> Bool {
        if code == "response_cancel_not_active" { return true }
        guard let eventID else { return false }
        return ["cancel_", "truncate_", "delete_", "clear_", "replace_", "note_", "commit_"].contains {
            eventID.hasPrefix($0)
        }
    }
}

extension SessionMachine.WaitingCall {
    fileprivate var eventID: String? {
        switch self {
        case .answer, .picture, .frame, .turn: nil
        case .item(_, let eventID): eventID
        case .choices(let eventID): eventID
        }
    }
}
