import GlassesDomain

extension ConversationHistory {
    /// How many turns it holds.
    var turnCount: Int { entries.count(where: { Self.turn(of: $0) != nil }) }

    /// The older half of the turns as entries, or all of them: up to the first call whose result is missing or lies behind, and up to
    /// the first thing that the provider has not been given, or that is still being said.
    func compactable(all: Bool, live: Set<String>) -> (ids: [String], turns: [Turn]) {
        let limit = all ? entries.count : entries.count / 2
        var end = entries.prefix(limit).firstIndex { $0.isUnsent || live.contains($0.id) } ?? limit
        // A call and its result stay together.
        while let call = entries[..<end].firstIndex(where: { isCut($0, at: end) }) { end = call }
        // An utterance whose words are still awaited stays: nobody would have read them.
        let taken = entries[..<end].filter { Self.turn(of: $0) != nil }
        return (taken.map(\.id), taken.compactMap(Self.turn(of:)))
    }

    private func isCut(_ entry: Entry, at end: Int) -> Bool {
        guard case .call(let callID, _, _, _) = entry.content else { return false }
        return !entries[..<end].contains { if case .output(callID, _, _) = $0.content { true } else { false } }
    }

    /// Puts a summary in the place of entries; those that were forgotten meanwhile are in it all the same.
    mutating func summarise(_ ids: [String], as text: String, id: String) {
        let time = entries.first?.timestampMs ?? 0
        let summarised = Set(ids)
        removeEntries { summarised.contains($0.id) }
        // Otherwise a full history would drop the summary as its oldest turn.
        makeRoom(for: 1)
        insertFirst([Entry(id: id, content: .summary(text), timestampMs: time)])
    }

    /// Puts turns of the app's in the place of entries.
    mutating func replace(_ ids: [String], by turns: [(id: String, turn: Turn)]) {
        let replaced = Set(ids)
        removeEntries { replaced.contains($0.id) }
        insertFirst(
            turns.map { Entry(id: $0.id, content: Self.content(of: $0.turn), timestampMs: $0.turn.timestampMs) })
    }
}

extension ConversationHistory.Entry {
    /// Whether the provider's conversation still has to be given it.
    fileprivate var isUnsent: Bool {
        switch content {
        case .user(_, let isKnown), .picture(_, _, let isKnown), .pictureNote(_, _, let isKnown): !isKnown
        case .output(_, _, let isSent): !isSent
        case .call, .assistant, .summary, .other: false
        }
    }
}
