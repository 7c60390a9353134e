import GlassesDomain
import Synchronization

/// The toggles of one glasses instance, in memory.
final class ToggleStore: ToggleClient {
    private let box = ObservableBox(Toggles())
    private let lock = Mutex(())
    private let events: EventLog
    private let gateChanged: @Sendable (MicrophoneGate) -> Void
    private let gateSettled: @Sendable () async -> Void

    /// `gateChanged` gets the gate of each change, in the order of the changes; it must not block. `gateSettled` is awaited by
    /// ``put(key:value:source:)`` afterwards, so that the device of a closed gate is released when it returns.
    init(
        events: EventLog, gateChanged: @escaping @Sendable (MicrophoneGate) -> Void,
        gateSettled: @escaping @Sendable () async -> Void
    ) {
        self.events = events
        self.gateChanged = gateChanged
        self.gateSettled = gateSettled
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
            // Inside the lock, so that events and gates come in the order of the changes: a stale gate would stay.
            events.emit(.toggleChanged(key: key, oldValue: old ?? .null, newValue: value, source: source))
            gateChanged(MicrophoneGate(toggles))
            return true
        }
        if changed { await gateSettled() }
    }

    /// Ends the state's streams.
    func finish() { box.finish() }
}
