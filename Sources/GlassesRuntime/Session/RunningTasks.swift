import GlassesAssistant

/// The tasks that a session driver has started and that have not ended: timers, tool bodies, hooks,
/// summaries, and pictures that are made ready.
struct RunningTasks {
    /// What a task is for.
    enum Key: Sendable, Hashable {
        case timer(SessionTimer)
        case body(callID: String)
        case hook(SessionHook, run: Int)
        case picture(OperationID)
        case compaction(CompactionID)
    }

    /// One task; a later one with the same key has another number.
    struct Ticket: Sendable, Hashable {
        fileprivate var key: Key
        fileprivate var number: Int
    }

    private var tasks: [Key: (number: Int, task: Task<Void, Never>)] = [:]
    private var started = 0

    /// How many tasks are held.
    var count: Int { tasks.count }

    /// Starts a task; one that has the same key is cancelled. The task names its end by its ticket.
    mutating func start(_ key: Key, _ body: (Ticket) -> Task<Void, Never>) {
        started += 1
        tasks.removeValue(forKey: key)?.task.cancel()
        tasks[key] = (started, body(Ticket(key: key, number: started)))
    }

    /// Starts a hook: it may run while its last run has not ended.
    mutating func start(_ hook: SessionHook, _ body: (Ticket) -> Task<Void, Never>) {
        start(.hook(hook, run: started + 1), body)
    }

    /// Forgets a task that has ended.
    mutating func ended(_ ticket: Ticket) {
        if tasks[ticket.key]?.number == ticket.number { tasks.removeValue(forKey: ticket.key) }
    }

    /// Cancels and forgets a task.
    mutating func cancel(_ key: Key) { tasks.removeValue(forKey: key)?.task.cancel() }

    /// Cancels and forgets all hooks.
    mutating func cancelHooks() {
        for key in tasks.keys {
            if case .hook = key { cancel(key) }
        }
    }

    /// Cancels and forgets everything.
    mutating func cancelAll() {
        for held in tasks.values { held.task.cancel() }
        tasks = [:]
    }
}
