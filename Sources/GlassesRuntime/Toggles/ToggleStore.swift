import GlassesDomain
import Synchronization

/// The toggles of one glasses instance, in memory.
final class ToggleStore: ToggleClient {
    private let box = ObservableBox(Toggles())
    private let lock = Mutex(())
    private let events: EventLog
    private let changed: @Sendable (Toggles) -> Void
    private let settled: @Sendable () async -> Void

    /// `changed` gets the toggles after each change, in the order of the changes; it must not block. `settled` is awaited by
    /// ``put(key:value:source:)`` afterwards, so that the devices of a closed gate are released when it returns.
    init(
        events: EventLog, changed: @escaping @Sendable (Toggles) -> Void, settled: @escaping @Sendable () async -> Void
    ) {
        self.events = events
        self.changed = changed
        self.settled = settled
    }

    var state: any ObservableState<Toggles> { box }

    func get(key: String) -> JSONValue? { box.current.values[key] }

    func put(key: String, value: JSONValue, source: ToggleSource) async {
        let isNew = lock.withLock { _ in
            var toggles = box.current
            let old = toggles.values[key]
            guard old != value else { return false }
            toggles.values[key] = value
            box.set(toggles)
            // Inside the lock, so that events and gates come in the order of the changes: a stale gate would stay.
            events.emit(.toggleChanged(key: key, oldValue: old ?? .null, newValue: value, source: source))
            changed(toggles)
            return true
        }
        if isNew { await settled() }
    }

    /// Ends the state's streams.
    func finish() { box.finish() }
}
