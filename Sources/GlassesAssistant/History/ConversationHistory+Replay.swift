import GlassesDomain

extension ConversationHistory {
    /// The items that give a new connection the conversation: user text as input, assistant text as output, calls with
    /// their results; a call that still runs is left out. An utterance without words is sent as audio, if that is kept. What is
    /// returned counts as sent.
    mutating func takeReplay(keptAudio: Set<String> = []) -> [ConversationItem] {
        let answered = pairedCalls()
        var items: [ConversationItem] = []
        for index in entries.indices where !entries[index].isLeftOut {
            let id = entries[index].id
            switch entries[index].content {
            case .user(let text, _):
                guard let text, !text.isEmpty else {
                    if keptAudio.contains(id) {
                        mark(index, .user(text: nil, isKnown: true))
                        items.append(.userAudio(id: id))
                    }
                    continue
                }
                mark(index, .user(text: text, isKnown: true))
                items.append(.userText(id: id, text: text))
            case .picture(let picture, let prompt, _):
                mark(index, .picture(picture, prompt: prompt, isKnown: true))
                items.append(.userPicture(id: id, picture, prompt: prompt, detail: .auto))
            case .pictureNote(let text, let prompt, _):
                mark(index, .pictureNote(text: text, prompt: prompt, isKnown: true))
                items.append(.systemText(id: id, text: text))
            case .assistant(let words, let heard, let wasCut):
                let text = wasCut ? Self.cut(heard) : words
                if !text.isEmpty { items.append(.assistantText(id: id, text: text)) }
            case .call(let callID, let name, let arguments, _):
                let isPaired = answered.contains(callID)
                mark(index, .call(callID: callID, name: name, arguments: arguments, isKnown: isPaired))
                guard isPaired else { continue }
                items.append(.functionCall(id: id, callID: callID, name: name, arguments: arguments))
            case .output(let callID, let text, _):
                guard answered.contains(callID) else { continue }
                mark(index, .output(callID: callID, text: text, isSent: true))
                items.append(.functionCallOutput(id: id, callID: callID, output: text))
            case .summary(let text):
                items.append(.systemText(id: id, text: "The conversation before this, in short:\n\(text)"))
            case .other: continue
            }
        }
        forgetOldConnection(keptAudio)
        return items
    }

    /// Items without words mean nothing to a new connection, whose own items may even have the same ids; nor does what the old one
    /// said of neighbours: an item that is added late has others now.
    private mutating func forgetOldConnection(_ keptAudio: Set<String>) {
        forgetPredecessors { entry in
            switch entry.content {
            case .other: true
            case .user(let text, _): (text ?? "").isEmpty && !keptAudio.contains(entry.id)
            case .assistant(let words, _, _): words.isEmpty
            case .picture, .pictureNote, .call, .output, .summary: false
            }
        }
    }

    /// Turns, pictures and results that the provider has not been given, a result after its call where that is not known
    /// either. They count as sent.
    mutating func takeUnsent(keptAudio: Set<String> = []) -> [ConversationItem] {
        var items: [ConversationItem] = []
        for index in entries.indices where !entries[index].isLeftOut {
            if case .user(let text?, false) = entries[index].content {
                mark(index, .user(text: text, isKnown: true))
                items.append(.userText(id: entries[index].id, text: text))
            }
            if case .user(nil, false) = entries[index].content, keptAudio.contains(entries[index].id) {
                mark(index, .user(text: nil, isKnown: true))
                items.append(.userAudio(id: entries[index].id))
            }
            if case .picture(let picture, let prompt, false) = entries[index].content {
                mark(index, .picture(picture, prompt: prompt, isKnown: true))
                items.append(.userPicture(id: entries[index].id, picture, prompt: prompt, detail: .auto))
            }
            if case .pictureNote(let text, let prompt, false) = entries[index].content {
                mark(index, .pictureNote(text: text, prompt: prompt, isKnown: true))
                items.append(.systemText(id: entries[index].id, text: text))
            }
            guard case .output(let callID, let text, false) = entries[index].content else { continue }
            let unknown = entries.firstIndex {
                if case .call(callID, _, _, false) = $0.content { true } else { false }
            }
            if let call = unknown,
                case .call(_, let name, let arguments, _) = entries[call].content
            {
                mark(call, .call(callID: callID, name: name, arguments: arguments, isKnown: true))
                items.append(
                    .functionCall(id: entries[call].id, callID: callID, name: name, arguments: arguments))
            }
            mark(index, .output(callID: callID, text: text, isSent: true))
            items.append(.functionCallOutput(id: entries[index].id, callID: callID, output: text))
        }
        return items
    }

    /// The text of a turn that was cut.
    static func cut(_ heard: String) -> String {
        var words = Substring(heard)
        while words.last?.isWhitespace == true { words.removeLast() }
        return words.isEmpty ? "" : words + HeardText.cutSuffix
    }

    static func turn(of entry: Entry) -> Turn? {
        let time = entry.timestampMs
        switch entry.content {
        case .user(let text, _):
            guard let text, !text.isEmpty else { return nil }
            return .userText(text: text, timestampMs: time)
        case .assistant(_, let heard, let wasCut):
            let text = wasCut ? cut(heard) : heard
            return text.isEmpty ? nil : .assistantText(text: text, timestampMs: time)
        case .picture(_, let prompt, _), .pictureNote(_, let prompt, _):
            return .userText(text: PictureNote.kept(timestampMs: time, prompt: prompt), timestampMs: time)
        case .call(let callID, let name, let arguments, _):
            return .toolInvocation(name: name, callId: callID, argsJson: arguments, timestampMs: time)
        case .output(let callID, let text, _): return .toolReturn(callId: callID, output: text, timestampMs: time)
        case .summary(let text): return ConversationSummary.turn(text, timestampMs: time)
        case .other: return nil
        }
    }

    static func content(of turn: Turn) -> Content {
        switch turn {
        // An edit never reaches the running conversation; the next replay sends it.
        case .userText(let text, _): .user(text: text, isKnown: true)
        case .assistantText(let text, _):
            ConversationSummary.text(of: turn).map(Content.summary)
                ?? .assistant(words: text, heard: text, wasCut: false)
        case .toolInvocation(let name, let callID, let arguments, _):
            .call(callID: callID, name: name, arguments: arguments, isKnown: true)
        case .toolReturn(let callID, let output, _):
            .output(callID: callID, text: ToolOutput.capped(output), isSent: true)
        }
    }

    /// Calls whose result follows them.
    private func pairedCalls() -> Set<String> {
        var called: Set<String> = []
        var paired: Set<String> = []
        for entry in entries where !entry.isLeftOut {
            switch entry.content {
            case .call(let callID, _, _, _): called.insert(callID)
            case .output(let callID, _, _): if called.contains(callID) { paired.insert(callID) }
            case .user, .picture, .pictureNote, .assistant, .summary, .other: continue
            }
        }
        return paired
    }
}
