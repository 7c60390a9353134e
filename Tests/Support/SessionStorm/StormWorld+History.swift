import GlassesAssistant
import GlassesDomain

extension StormWorld {
    /// At rest, the history holds what was said, done and heard, and so does the provider's conversation.
    func checkHistory() {
        guard !plan.editsHistory, !hasLeftOut, plan.configuration.historyCap > 100 else { return }
        checkUser()
        checkAnswers()
        checkCalls()
        checkConversation()
    }

    private func checkUser() {
        let words = turns.compactMap { if case .userText(let text, _) = $0 { text } else { nil } }
        for text in truth.owed where words.count(where: { $0 == text }) != 1 {
            checks.fail(
                .historyIsTrue, "\"\(text)\" was said and is \(words.count { $0 == text }) times in the history")
        }
        let texts = words.filter { truth.told[$0] != nil }
        if Set(texts).count != texts.count { checks.fail(.historyIsTrue, "an utterance is twice in the history") }
    }

    private func checkAnswers() {
        let pacing = plan.configuration.transcriptPacing
        var kept: [String: String] = [:]
        for case .assistantText(let text, _) in turns {
            let id = Self.answerID(of: text)
            if kept[id] != nil { checks.fail(.historyIsTrue, "\(id) is twice in the history") }
            kept[id] = text
        }
        for answer in truth.answers.values where !answer.isOutOfBand {
            let expected = truth.expectedWords(of: answer, ear, pacing: pacing)
            let text = kept.removeValue(forKey: answer.id) ?? ""
            if text != expected {
                checks.fail(.historyIsTrue, "of \(answer.id) \"\(expected)\" was heard and \"\(text)\" is kept")
            }
        }
        if let other = kept.keys.min() { checks.fail(.historyIsTrue, "\(other) was never heard") }
    }

    private func isWordless(_ answerID: String) -> Bool {
        guard let answer = truth.answers[answerID] else { return false }
        return truth.expectedWords(of: answer, ear, pacing: plan.configuration.transcriptPacing).isEmpty
    }

    private func checkCalls() {
        var open: Set<String> = []
        for turn in turns {
            switch turn {
            case .toolInvocation(_, let callID, _, _):
                if !open.insert(callID).inserted { checks.fail(.historyIsTrue, "\(callID) is twice in the history") }
            case .toolReturn(let callID, let output, _):
                if open.remove(callID) == nil { checks.fail(.historyIsTrue, "\(callID) ends without its call") }
                if truth.results[callID] != output { checks.fail(.historyIsTrue, "\(callID) has another result") }
            case .userText, .assistantText: break
            }
        }
        if let callID = open.min() { checks.fail(.historyIsTrue, "\(callID) has no result in the history") }
    }

    /// The provider's conversation, by whose order the next answer is given.
    private func checkConversation() {
        guard let current, let link = links[current] else { return }
        let theirs = link.provider.items.compactMap { item -> String? in
            // A message of which nothing was sent, or not one word was heard, says nothing.
            if case .assistant(let id) = item.content, link.provider.sent[item.id] == nil || isWordless(id) {
                return nil
            }
            return item.content.key
        }
        let known = Set(theirs)
        let ours = turns.compactMap { turn -> String? in
            switch turn {
            case .userText(let text, _): text.hasPrefix("[") ? nil : "user \(text)"
            case .assistantText(let text, _): "assistant \(Self.answerID(of: text))"
            case .toolInvocation(_, let callID, _, _): "call \(callID)"
            case .toolReturn(let callID, _, _): "output \(callID)"
            }
        }
        guard theirs != ours else { return }
        // Where an item stands is only known from its acknowledgement.
        if plan.faults.contains(.lostAcknowledgement), theirs.sorted() == ours.sorted() { return }
        let missing = ours.filter { !known.contains($0) }
        let extra = theirs.filter { !ours.contains($0) }
        checks.fail(
            .conversationIsTheHistory,
            "the provider lacks \(missing), has \(extra) besides; its order: \(theirs); ours: \(ours)")
    }
}
