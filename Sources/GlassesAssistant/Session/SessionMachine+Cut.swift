import GlassesDomain

extension SessionMachine {
    /// Cuts every answer that is not over: playback first, then the provider.
    mutating func cutAnswers(_ reason: CutReason) {
        let wasHeld = releaseHold()
        guard isPlaying || answers.contains(where: { !$0.isOver }) else {
            if wasHeld { act(.playback(.resume)) }
            return
        }
        let flush = isPlaying ? FlushID(newNumber()) : nil
        if let flush {
            isPlaying = false
            act(.playback(.flush(flush)))
        } else if wasHeld {
            act(.playback(.resume))
        }
        finishAudible()
        let cut = endLives(reason)
        applyLedger(reason == .cancelled ? .silenced : .interrupted)
        for life in cut { recordCut(life) }
        if let flush { flushes[flush] = cut } else { settle(cut) }
    }

    /// Ends the lives and cancels what the provider would go on with; returns those that it had begun.
    private mutating func endLives(_ reason: CutReason) -> [AnswerLife] {
        var cut: [AnswerLife] = []
        for index in answers.indices where !answers[index].isOver {
            let wasGenerating = answers[index].isGenerating
            _ = answers[index].apply(.cut(reason))
            guard let id = answers[index].responseID else { continue }
            dead.insert(id)
            if !answers[index].isOutOfBand { self.cut.insert(id) }
            cut.append(answers[index])
            if wasGenerating, mustCancel(answers[index], reason) {
                send(.cancelAnswer(eventID: newID("cancel"), responseID: id))
            }
        }
        answers.removeAll { $0.isOver && $0.responseID != nil }
        return cut
    }

    /// A provider that interrupts by itself needs no cancel when the user speaks, except for an answer outside the
    /// conversation: those it never interrupts.
    private func mustCancel(_ life: AnswerLife, _ reason: CutReason) -> Bool {
        guard case .open(life.connection) = link else { return false }
        switch reason {
        case .userSpoke: return life.isOutOfBand || server.interruptsResponse == false
        case .cancelled, .deviceLost: return true
        case .teardown: return false
        }
    }

    mutating func flushCompleted(_ id: FlushID, _ heard: [HeardPosition]) {
        guard var cut = flushes.removeValue(forKey: id) else { return }
        for position in heard {
            for index in cut.indices where cut[index].responseID == position.segment.responseID {
                _ = cut[index].apply(.heard(position))
            }
        }
        settle(cut)
    }

    /// Brings the conversation to what was heard: the item being heard is truncated, unheard ones are deleted.
    private mutating func settle(_ cut: [AnswerLife]) {
        for life in cut {
            recordCut(life)
            tellWords(of: life)
            correctItems(of: life)
            if case .open(life.connection) = link { deleteOpenCalls(of: life) }
        }
    }

    /// Brings the items of an answer that ended early to what was heard of them, as long as its connection lives.
    mutating func correctItems(of life: AnswerLife) {
        guard !life.isOutOfBand, case .open(life.connection) = link else { return }
        for itemID in life.messageIDs { correct(itemID, of: life) }
    }

    private mutating func correct(_ itemID: String, of life: AnswerLife) {
        let parts = life.parts.filter { $0.segment.itemID == itemID }
        guard !parts.contains(where: \.isText) else { return }
        guard parts.contains(where: { $0.heardMilliseconds > 0 }) else {
            send(.deleteItem(eventID: newID("delete"), itemID: itemID))
            return
        }
        guard let part = parts.first(where: { !life.isHeardInFull($0) && $0.heardMilliseconds > 0 }) else { return }
        guard has(\.truncates) else { return replace(itemID, parts, of: life) }
        send(
            .truncateItem(
                eventID: newID("truncate"), itemID: itemID, contentIndex: part.segment.contentIndex,
                milliseconds: min(part.heardMilliseconds, life.receivedMilliseconds(of: part))))
    }

    /// Where an item cannot be truncated, the words that were heard take its place.
    private mutating func replace(_ itemID: String, _ parts: [AnswerPart], of life: AnswerLife) {
        guard has(\.deletes) else { return }
        let heard = parts.map { life.heardWords(of: $0, pacing: configuration.transcriptPacing) }.joined()
        let words = newItemID()
        corrections.insert(words)
        send(.insertItem(eventID: newID("replace"), .assistantText(id: words, text: heard + " …"), after: itemID))
        send(.deleteItem(eventID: newID("delete"), itemID: itemID))
    }

    /// The words of a cut answer whose complete words were not told before.
    private mutating func tellWords(of life: AnswerLife) {
        for part in life.parts where part.transcript == nil {
            assistantSpoke(life.heardWords(of: part, pacing: configuration.transcriptPacing))
        }
    }

    // MARK: - History

    mutating func placeAssistant(_ itemID: String) {
        guard !history.contains(itemID) else { return }
        let content = ConversationHistory.Content.assistant(words: "", heard: "", wasCut: false)
        history.place(itemID, after: nil, content: content, timestampMs: timestampMs)
    }

    /// A provider may send audio of an item that it never announced.
    mutating func placeParts(of life: AnswerLife) {
        guard !life.isOutOfBand else { return }
        for part in life.parts { placeAssistant(part.segment.itemID) }
    }

    /// Words have arrived: all of them are known now, and shown ones count as heard.
    mutating func recordWords(of life: AnswerLife, after input: AnswerInput) {
        switch input {
        case .transcriptReceived, .transcriptDone, .textReceived, .textDone:
            placeParts(of: life)
            recordHeard(life)
        case .created, .itemAdded, .callCompleted, .audioReceived, .audioDone, .playbackStarted, .heard, .drained,
            .generationEnded,
            .generationLost, .cut:
            break
        }
    }

    /// What was heard of an answer so far; of one that a lost connection took, what was heard is a cut turn.
    mutating func recordHeard(_ life: AnswerLife) {
        record(life, heard: heardWords(of: life)) { _ in life.isLost }
    }

    /// What was heard of an answer that was cut; an item that was heard in full is left as it is.
    private mutating func recordCut(_ life: AnswerLife) {
        record(life, heard: heardWords(of: life)) { parts in
            life.isLost || parts.isEmpty || !parts.allSatisfy { life.isHeardInFull($0) }
        }
    }

    /// What was received of an answer plays on after its connection is lost, so it will have been heard.
    mutating func recordReceived(_ life: AnswerLife) {
        var whole = life
        _ = whole.apply(.drained)
        record(life, heard: heardWords(of: whole)) { _ in true }
    }

    private func heardWords(of life: AnswerLife) -> [SegmentID: String] {
        Dictionary(
            life.parts.map { ($0.segment, life.heardWords(of: $0, pacing: configuration.transcriptPacing)) },
            uniquingKeysWith: { first, _ in first })
    }

    private mutating func record(
        _ life: AnswerLife, heard: [SegmentID: String], wasCut: ([AnswerPart]) -> Bool
    ) {
        guard !life.isOutOfBand else { return }
        for itemID in life.messageIDs {
            let parts = life.parts.filter { $0.segment.itemID == itemID }
            history.setAssistantText(
                itemID, words: parts.map(\.text).joined(),
                heard: parts.map { heard[$0.segment] ?? "" }.joined(), wasCut: wasCut(parts), &verdicts)
        }
    }
}
