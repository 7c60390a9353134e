/// The calls of `start`, `wake` and `sleep` that wait for their turn, and the one that has it; `stop` overtakes them all.
struct OperationLine: Sendable, Hashable {
    /// Why an operation without a caller is in line.
    enum SleepCause: Sendable, Hashable {
        case requested
        case deviceLost
    }

    /// An operation in line; sleep without an id was asked for by the session itself.
    enum Entry: Sendable, Hashable {
        case start(OperationID)
        case wake(OperationID)
        case sleep(OperationID?, SleepCause)

        var event: LifecycleEvent {
            switch self {
            case .start: .start
            case .wake: .wake
            case .sleep: .sleep
            }
        }
        var id: OperationID? {
            switch self {
            case .start(let id), .wake(let id): id
            case .sleep(let id, _): id
            }
        }
    }

    /// What has the turn.
    enum Turn: Sendable, Hashable {
        case free
        case taken(Entry)
        /// Stopping; all calls of `stop` end together.
        case stopping([OperationID])
    }

    /// More callers than an app has tasks that could sensibly wait; each entry holds a suspended task of the app.
    static let limit = 256

    private(set) var turn = Turn.free
    private var waiting: [Entry] = []

    /// Puts an operation at the end of the line; false when the line is full.
    mutating func enqueue(_ entry: Entry) -> Bool {
        guard waiting.count < Self.limit else { return false }
        waiting.append(entry)
        return true
    }

    /// The first in line when the turn is free.
    mutating func takeNext() -> Entry? {
        guard case .free = turn, !waiting.isEmpty else { return nil }
        let entry = waiting.removeFirst()
        turn = .taken(entry)
        return entry
    }

    /// Puts the operation that has the turn back to the head of the line.
    mutating func putBack() {
        guard case .taken(let entry) = turn else { return }
        waiting.insert(entry, at: 0)
        turn = .free
    }

    /// Ends the turn and returns the operation that had it.
    mutating func endTurn() -> Entry? {
        guard case .taken(let entry) = turn else { return nil }
        turn = .free
        return entry
    }

    /// Gives the turn to `stop` and returns the ids of everything that it overtook, in order.
    mutating func overtake(with id: OperationID) -> [OperationID] {
        let overtaken = takeAll()
        turn = .stopping([id])
        return overtaken
    }

    /// Adds a second caller to the running stop.
    mutating func joinStop(_ id: OperationID) {
        guard case .stopping(let ids) = turn else { return }
        turn = .stopping(ids + [id])
    }

    /// Empties the line and returns the ids in order.
    mutating func takeAll() -> [OperationID] {
        var ids: [OperationID] = []
        switch turn {
        case .free: break
        case .taken(let entry): ids += [entry.id].compactMap { $0 }
        case .stopping(let stops): ids += stops
        }
        ids += waiting.compactMap(\.id)
        turn = .free
        waiting = []
        return ids
    }

    /// Whether an operation is in line and has not had its turn.
    func isWaiting(_ id: OperationID) -> Bool { waiting.contains { $0.id == id } }

    /// Takes an operation out of the line; false when it is not waiting there.
    mutating func withdraw(_ id: OperationID) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Whether a sleep is in line or under way.
    var holdsSleep: Bool {
        if case .taken(.sleep) = turn { return true }
        return waiting.contains { if case .sleep = $0 { true } else { false } }
    }
}
