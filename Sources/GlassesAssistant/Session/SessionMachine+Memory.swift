import GlassesDomain

extension SessionMachine {
    // MARK: - Compaction

    /// Looks after each input whether the history has to become shorter.
    mutating func relieveHistory() {
        switch state {
        case .idle, .stopping, .stopped: return
        case .dormant, .activating, .active, .reconnecting, .sleeping: break
        }
        guard pressure.mayBegin(hasChanged: history.revision != publishedRevision, at: now),
            pressure.isDue(turns: history.turnCount)
        else { return }
        let isReplacement = pressure.plan == .replace
        let part = history.compactable(all: isReplacement, live: liveItems)
        guard part.turns.count >= HistoryPressure.leastTurns else { return }
        // What becomes part of a summary would not be remembered word for word.
        remember(live: liveItems)
        let id = CompactionID(newNumber())
        pressure.begin(id, entries: part.ids)
        act(.memory(.compact(id, part.turns)))
    }

    mutating func summarised(_ id: CompactionID, _ text: String) {
        guard let entries = pressure.succeed(id) else { return }
        history.summarise(entries, as: text, id: newItemID())
        pressure.rest(turns: history.turnCount, at: now)
    }

    mutating func compacted(_ id: CompactionID, _ turns: [Turn]) {
        guard let entries = pressure.succeed(id) else { return }
        let new = turns.map { (id: newItemID(), turn: $0) }
        history.replace(entries, by: new)
        memory.skip(new.map(\.id))
        pressure.rest(turns: history.turnCount, at: now)
    }

    /// The app replaced the history, or the session ends: nobody waits for what runs.
    mutating func callOffCompaction() {
        if let id = pressure.callOff() { act(.memory(.abandon(id))) }
    }

    // MARK: - Memory

    /// Answers that are being said.
    private var liveItems: Set<String> { Set(answers.flatMap(\.messageIDs)) }

    /// After each input: what was said, done and heard is handed over in portions.
    mutating func rememberPortion() {
        guard memory.isOn, history.revision != publishedRevision else { return }
        remember(least: memory.portion, live: liveItems)
    }

    /// Hands over what was said, done and heard since the last time, without the answers that are `live`.
    mutating func remember(least: Int = 1, live: Set<String> = []) {
        let turns = memory.take(from: history, least: least, live: live)
        if !turns.isEmpty { act(.memory(.remember(turns))) }
    }

    /// What is known of the user is there; a conversation that began without it is told now.
    mutating func memoryLoaded(_ preamble: String?) {
        memory.preamble = preamble
        memory.isUntold = preamble != nil
        tellMemory()
    }

    /// Gives the open conversation what is known of the user, if it does not have it.
    mutating func tellMemory() {
        guard memory.isUntold, state == .active, case .open = link, let preamble = memory.preamble else { return }
        memory.isUntold = false
        send(.createItem(eventID: newID("note"), .systemText(id: newItemID(), text: preamble)))
    }
}
