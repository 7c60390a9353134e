import Dispatch
import Synchronization

/// The state of a device's session in the words of the first eras, and who follows it.
final class SessionStateSource: Sendable {
    let listeners: ListenerStore<SessionState>
    let streams: StateStreams<SessionState>
    private let last: Mutex<SessionState>

    init(_ state: SessionState, on queue: DispatchQueue, rule: TokenRule) {
        listeners = ListenerStore("addDeviceSessionStateListener", on: queue, rule: rule)
        streams = StateStreams(of: state)
        last = Mutex(state)
    }

    /// Tells a state, unless it was told last: several of today's states are one of the first eras'.
    func tell(_ state: SessionState) {
        let isNews = last.withLock { last in
            defer { last = state }
            return last != state
        }
        guard isNews else { return }
        streams.send(state)
        listeners.announce(state)
    }
}

extension SessionState {
    /// The word of the first eras for a state.
    init(_ state: DeviceSessionState) {
        switch state {
        case .idle, .stopping, .stopped: self = .stopped
        case .starting: self = .waitingForDevice
        case .started: self = .running
        case .paused: self = .paused
        }
    }
}
