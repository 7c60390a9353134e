import GlassesDomain
import Synchronization

/// The turns that `conversationHistory` answers: the machine's, with the app's own edits visible at once.
final class PublishedHistory: Sendable {
    private struct Storage {
        var turns: [Turn] = []
        /// Edits that the machine has not applied yet; its older words must not undo them.
        var pendingEdits = 0
    }

    private let storage = Mutex(Storage())
    private let cap: Int

    /// Keeps the newest `cap` turns, as the machine does.
    init(cap: Int) { self.cap = cap }

    /// The newest `limit` turns, oldest first.
    func newest(_ limit: Int) -> [Turn] { storage.withLock { Array($0.turns.suffix(max(0, limit))) } }

    /// The machine published its turns.
    func publish(_ turns: [Turn]) {
        storage.withLock { storage in
            if storage.pendingEdits == 0 { storage.turns = turns }
        }
    }

    /// The app edits; ``editApplied()`` follows when the machine has applied it, before it publishes.
    func edit(_ change: (inout [Turn]) -> Void) {
        storage.withLock { storage in
            storage.pendingEdits += 1
            change(&storage.turns)
            storage.turns.removeFirst(max(0, storage.turns.count - cap))
        }
    }

    /// The machine is about to apply an edit, or will never get it.
    func editApplied() { storage.withLock { $0.pendingEdits = max(0, $0.pendingEdits - 1) } }
}
