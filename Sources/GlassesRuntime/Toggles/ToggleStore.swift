import GlassesDomain
import Synchronization

/// The toggles of one glasses instance, in memory.
final class ToggleStore: ToggleClient {
    private let box = ObservableBox(Toggles())
    private let lock = Mutex(())
    private let events: EventLog
    private let gateChanged: @Sendable (MicrophoneGate) async -> Void

    /// `gateChanged` is awaited by ``put(key:value:source:)`` after each change, so that a closed gate is closed when it returns.
    init(events: EventLog, gateChanged: @escaping @Sendable (MicrophoneGate) async -> Void) {
        self.events = events
        self.gateChanged = gateChanged
    }

    var state: any ObservableState<Toggles> { box }

    func get(key: String) -> JSONValue? { box.current.values[key] }

    func put(key: String, value: JSONValue, source: ToggleSource) async {
        let changed = lock.withLock { _ in
            var toggles = box.current
            let old = toggles.values[key]
            guard old != value else { return false }
            toggles.values[key] = value
            box.set(toggles)
            // Inside the lock, so that events come in the order of the changes.
            events.emit(.toggleChanged(key: key, oldValue: old ?? .null, newValue: value, source: source))
            return true
        }
        if changed { await gateChanged(MicrophoneGate(box.current)) }
    }

    /// Ends the state's streams.
    func finish() { box.finish() }
}
