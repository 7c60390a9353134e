import GlassesAssistant
import GlassesDomain

extension StormWorld {
    /// The provider does what a command says.
    func received(_ id: ConnectionID, _ command: SessionCommand) {
        guard links[id]?.isOpen == true else { return }
        switch command {
        case .updateSession: accept(id)
        case .createItem(let eventID, let item): take(item, after: nil, id, eventID)
        case .insertItem(let eventID, let item, let previous): take(item, after: previous, id, eventID)
        case .requestAnswer(let eventID, let request): answer(request, eventID, id)
        case .cancelAnswer(let eventID, let responseID):
            guard links[id]?.provider.answers[responseID] != nil else {
                return down(
                    .errorReported(code: "response_cancel_not_active", message: "no", eventID: eventID), on: id)
            }
            endAnswer(responseID, .cancelled, id)
        case .truncateItem(_, let itemID, _, let milliseconds):
            let sent = links[id]?.provider.sent[itemID] ?? 0
            if milliseconds < 1 || milliseconds > sent {
                checks.fail(.cutAtTheEar, "\(itemID) is truncated at \(milliseconds) of \(sent) ms")
            }
        case .deleteItem(_, let itemID): links[id]?.provider.items.removeAll { $0.id == itemID }
        case .clearInput: links[id]?.provider.hearing = nil
        case .commitInput(let eventID): commit(eventID, id)
        }
    }

    private func accept(_ id: ConnectionID) {
        let wait = strikes(.slowOpen, oneIn: 4) ? number(1_000...16_000) : number(5...80)
        var facts = ServerSessionFacts(model: "model")
        if strikes(.ceiling, oneIn: 1) {
            let life = number(15_000...60_000)
            facts.expiresAt = Int(now.nanoseconds / 1_000_000_000) + life / 1_000
            plan(.ceilingReached(id), in: life)
        }
        down(.sessionCreated(facts), on: id)
        down(
            .sessionUpdated(
                ServerSessionFacts(interruptsResponse: plan.interrupts, createsResponse: plan.creates)),
            on: id, after: wait)
    }

    private func take(_ item: ConversationItem, after previous: String?, _ id: ConnectionID, _ eventID: String) {
        let (content, kind) = content(of: item, on: id)
        let before: String?
        if let previous {
            links[id]?.provider.insert(item.id, content, after: previous)
            before = previous
        } else {
            before = links[id]?.provider.add(item.id, content)
        }
        if case .userAudio(let itemID) = item, let utterance = microphone.items[itemID] {
            transcribe(utterance, itemID, id)
        }
        if strikes(.lostAcknowledgement, oneIn: 6) { return }
        let fact = ServerFact.itemAdded(itemID: item.id, previousItemID: before, kind: kind)
        if strikes(.lateAcknowledgement, oneIn: 4) {
            aside(fact, on: id, after: number(50...1_500))
        } else {
            down(fact, on: id)
        }
    }

    private func content(of item: ConversationItem, on connection: ConnectionID) -> (StormItem.Content, ServerItemKind)
    {
        switch item {
        case .userText(_, let text): (.user(text), .userMessage)
        case .userAudio: (.unheard, .userMessage)
        case .userPicture: (.other, .userMessage)
        case .systemText: (.other, .other)
        case .assistantText(let id, let text): (replayed(id, Self.answerID(of: text), connection), .assistantMessage)
        case .functionCall(_, let callID, _, _): (.call(callID), .functionCall)
        case .functionCallOutput(_, let callID, _): (.output(callID), .functionCallOutput)
        }
    }

    private func replayed(_ itemID: String, _ answerID: String, _ id: ConnectionID) -> StormItem.Content {
        links[id]?.provider.sent[itemID] = 0
        return .assistant(answerID)
    }

    /// The answer that a text is of: each answer has words of its own.
    static func answerID(of text: String) -> String { String(text.prefix { $0 != "k" && $0 != " " }) }

    // MARK: - Hearing

    func heardSpeech(_ id: ConnectionID, _ utterance: StormUtterance) {
        guard links[id]?.isOpen == true, links[id]?.provider.hearing == nil else { return }
        // Pushed turns are taken as they come, also when they have ended meanwhile.
        guard microphone.uplink == id || plan.isPushToTalk else { return }
        let itemID = "i\(newNumber())"
        links[id]?.provider.hearing = (itemID, utterance)
        links[id]?.provider.utterances[itemID] = utterance
        guard !plan.isPushToTalk else { return }
        down(.speechStarted(itemID: itemID, startMs: nil), on: id)
        guard plan.interrupts, let answer = links[id]?.provider.conversationAnswer else { return }
        endAnswer(answer, .cancelled, id)
    }

    func heardSilence(_ id: ConnectionID, _ utterance: StormUtterance) {
        guard let hearing = links[id]?.provider.hearing, hearing.utterance.number == utterance.number,
            !plan.isPushToTalk
        else { return }
        links[id]?.provider.hearing = nil
        let previous = links[id]?.provider.add(hearing.itemID, .unheard)
        down(.speechStopped(itemID: hearing.itemID, endMs: nil), on: id)
        down(.utteranceCommitted(itemID: hearing.itemID, previousItemID: previous), on: id)
        down(.itemAdded(itemID: hearing.itemID, previousItemID: previous, kind: .userMessage), on: id)
        transcribe(hearing.utterance, hearing.itemID, id)
        guard plan.creates, !strikes(.missingAnswer, oneIn: 5) else { return }
        // One answer at a time: a provider that does not interrupt leaves this utterance without an answer of its own.
        guard links[id]?.provider.conversationAnswer == nil else { return }
        begin(id, text: hearing.utterance.text, metadata: [:], isOutOfBand: false)
    }

    func transcribe(_ utterance: StormUtterance, _ itemID: String, _ id: ConnectionID) {
        if strikes(.lostTranscript, oneIn: 8) {
            truth.owed.remove(utterance.text)
            if chance(2) { aside(.userTranscriptFailed(itemID: itemID, code: nil), on: id, after: 300) }
            return
        }
        let wait = strikes(.lateTranscript, oneIn: 3) ? number(800...4_000) : number(10...300)
        aside(.userTranscriptCompleted(itemID: itemID, text: utterance.text), on: id, after: wait)
    }

    // MARK: - Answering

    private func answer(_ request: AnswerRequest, _ eventID: String, _ id: ConnectionID) {
        let isActive = links[id]?.provider.conversationAnswer != nil
        if !request.isOutOfBand, isActive {
            return down(
                .errorReported(
                    code: "conversation_already_has_active_response", message: "no", eventID: eventID), on: id)
        }
        if strikes(.refusedRequest, oneIn: 4) {
            // Some say so of an answer that nobody has been told of.
            endSoon(chance(2) ? .stop : .finalClose, within: 1_200)
            let code = chance(3) ? "conversation_already_has_active_response" : "server_error"
            return down(.errorReported(code: code, message: "no", eventID: eventID), on: id)
        }
        var text = ""
        if case .user(let last)? = links[id]?.provider.items.last(where: { $0.content != .other })?.content {
            text = last
        }
        let answerID = begin(id, text: text, metadata: request.metadata, isOutOfBand: request.isOutOfBand)
        if request.isProtected { protected.insert(answerID) }
    }

    /// Begins the answer to what was said last.
    @discardableResult
    private func begin(
        _ id: ConnectionID, text: String, metadata: [String: String], isOutOfBand: Bool
    ) -> String {
        let turn = plan.turns.first { $0.utterance.text == text }
        let callsTools = !isOutOfBand && (turn?.utterance.tools ?? 0) > 0
        let isFirst = links[id]?.provider.called.insert(text).inserted ?? false
        let answer = makeAnswer(
            tools: callsTools && isFirst ? turn?.utterance.tools ?? 0 : 0, metadata: metadata, isOutOfBand: isOutOfBand)
        links[id]?.provider.answers[answer.id] = answer
        plan(.generate(id, responseID: answer.id), in: number(60...600))
        return answer.id
    }

    /// The provider sends the next event of an answer.
    func generate(_ id: ConnectionID, _ responseID: String) {
        guard let link = links[id], link.isOpen, var answer = link.provider.answers[responseID] else { return }
        if answer.next > 2, strikes(.failedAnswer, oneIn: 12) {
            return endAnswer(responseID, .failed(code: "server_error", message: "no"), id)
        }
        let step = answer.steps[answer.next]
        answer.next += 1
        links[id]?.provider.answers[responseID] = answer.next < answer.steps.count ? answer : nil
        send(step.fact, of: answer, on: id)
        guard answer.next < answer.steps.count else { return }
        let stall = answer.next > 2 && strikes(.stalledAnswer, oneIn: 30) ? 40_000 : 0
        plan(.generate(id, responseID: responseID), in: answer.steps[answer.next].gap + stall)
    }

    private func send(_ fact: ServerFact, of answer: StormAnswer, on id: ConnectionID) {
        var fact = fact
        switch fact {
        case .itemAdded(let itemID, _, let kind):
            let content: StormItem.Content =
                kind == .functionCall ? .call(itemID.replacing("f", with: "c")) : .assistant(answer.id)
            let previous = links[id]?.provider.add(itemID, content)
            fact = .itemAdded(itemID: itemID, previousItemID: previous, kind: kind)
        case .answerAudioReceived(let segment, let frames):
            links[id]?.provider.sent[segment.itemID, default: 0] += frames / 24
        default: break
        }
        down(fact, on: id)
    }

    /// The provider ends an answer before its time; some events are on their way then.
    func endAnswer(_ responseID: String, _ status: AnswerStatus, _ id: ConnectionID) {
        guard let answer = links[id]?.provider.answers.removeValue(forKey: responseID) else { return }
        guard answer.next > 0 else {
            // The session has not heard of it yet: it begins and ends.
            send(answer.steps[0].fact, of: answer, on: id)
            return down(.answerDone(responseID: responseID, status: status), on: id)
        }
        let isLate = status == .cancelled && strikes(.lateAnswerEvents, oneIn: 2)
        let left = answer.steps[answer.next...].prefix(isLate ? number(1...4) : 0)
        for step in left where !step.fact.endsAnswer && !step.fact.addsItem { send(step.fact, of: answer, on: id) }
        down(.answerDone(responseID: responseID, status: status), on: id)
        if isLate, let step = left.first(where: { !$0.fact.endsAnswer && !$0.fact.addsItem }) {
            send(step.fact, of: answer, on: id)
        }
    }
}

extension ServerFact {
    fileprivate var endsAnswer: Bool { if case .answerDone = self { true } else { false } }
    fileprivate var addsItem: Bool { if case .itemAdded = self { true } else { false } }
}
