import GlassesDomain

/// Which turns of a session have been handed over to be remembered, and what is known of the user.
struct MemoryNotes: Sendable, Hashable {
    /// The most turns after which they are handed over without waiting for the session to sleep, so that a crash takes no more.
    static let portionLimit = 8

    /// Turns after which they are handed over: fewer when the history forgets soon.
    let portion: Int
    /// Whether anything is remembered.
    let isOn: Bool
    /// What the model is told of the user; nil until it was loaded, and when nothing is known.
    var preamble: String?
    /// Whether the open conversation does not have it.
    var isUntold = false
    /// Entries that were handed over; only those that the history still has.
    private var told: Set<String> = []

    init(isOn: Bool, cap: Int) {
        self.isOn = isOn
        portion = min(Self.portionLimit, max(1, cap / 4))
    }

    /// Turns of the app's are not handed over: they are known, or were never said.
    mutating func skip(_ ids: [String]) {
        if isOn { told.formUnion(ids) }
    }

    /// The turns that were not handed over yet, if there are at least `least`; they count as handed over. Answers that are still `live`
    /// wait for their last word.
    mutating func take(from history: ConversationHistory, least: Int, live: Set<String>) -> [Turn] {
        guard isOn else { return [] }
        told.formIntersection(history.entries.map(\.id))
        let new = history.entries.filter {
            !told.contains($0.id) && !live.contains($0.id) && ConversationHistory.turn(of: $0) != nil
        }
        guard new.count >= least, !new.isEmpty else { return [] }
        told.formUnion(new.map(\.id))
        return new.filter { if case .summary = $0.content { false } else { true } }
            .compactMap(ConversationHistory.turn(of:))
    }
}
