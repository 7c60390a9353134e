import Synchronization

/// What the user asked to remember; it is gone when the program ends.
final class TalkMemory: Sendable {
    /// More is forgotten, oldest first.
    private static let noteLimit = 50
    /// The longest note, in characters.
    private static let lengthLimit = 500
    /// As many as somebody wants to hear at once.
    private static let recalledNotes = 5

    private let notes = Mutex([String]())

    /// Remembers a note; answers what to say.
    func remember(_ note: String) -> String {
        let kept = String(note.prefix(Self.lengthLimit))
        notes.withLock { notes in
            notes.append(kept)
            if notes.count > Self.noteLimit { notes.removeFirst() }
        }
        return "I will remember: \(kept)."
    }

    /// What to say of the newest notes.
    func recall() -> String {
        let newest = notes.withLock { Array($0.suffix(Self.recalledNotes)) }
        guard !newest.isEmpty else { return "You have not asked me to remember anything." }
        return "You told me: " + newest.joined(separator: "; ") + "."
    }
}
