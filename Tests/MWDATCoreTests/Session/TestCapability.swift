import MWDATCore
import Synchronization

/// A part of a session that writes down what it is told, and leaves when it is told to end.
final class TestCapability: SessionCapability {
    enum Call: Equatable {
        case delivered(LinkEvent)
        case paused
        case resumed
        case ending(Refusal?)
        case background(Bool)
    }

    private struct State {
        var calls: [Call] = []
        var session: DeviceSession?
        var stopsByItself = true
    }

    let kind: CapabilityKind
    private let state = Mutex(State())

    init(_ kind: CapabilityKind) { self.kind = kind }

    var calls: [Call] { state.withLock { $0.calls } }

    var session: DeviceSession? {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }

    var stopsByItself: Bool {
        get { state.withLock { $0.stopsByItself } }
        set { state.withLock { $0.stopsByItself = newValue } }
    }

    func sessionDelivered(_ event: LinkEvent) { write(.delivered(event)) }
    func sessionPaused() { write(.paused) }
    func sessionResumed() { write(.resumed) }
    func appMoved(inBackground: Bool) { write(.background(inBackground)) }

    func sessionEnding(_ reason: Refusal?) {
        write(.ending(reason))
        guard stopsByItself else { return }
        session?.detach(self)
        session = nil
    }

    private func write(_ call: Call) { state.withLock { $0.calls.append(call) } }
}
