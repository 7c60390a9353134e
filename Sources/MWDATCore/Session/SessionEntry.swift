import Synchronization

/// What a hub keeps of a session.
struct SessionEntry {
    let device: DeviceIdentifier
    /// The app's object. Until it is started only the app keeps it; then the hub does, until it has stopped.
    weak var session: DeviceSession?
    var keeper: DeviceSession?
    var machine = DeviceSessionStateMachine()
    var capabilities: [CapabilityKind: any SessionCapability] = [:]
    let takesOver: Bool
    let gate = FrameGate()

    init(device: DeviceIdentifier, session: DeviceSession, takesOver: Bool) {
        self.device = device
        self.session = session
        self.takesOver = takesOver
    }
}

/// Bounds the frames on their way from the link to a session's camera.
final class FrameGate: Sendable {
    /// A second at the highest rate: whoever is that far behind wants newer pictures.
    static let maximumPending = 30

    private struct State {
        var pending = 0
        var isDropping = false
        var dropped = 0
    }

    private let state = Mutex(State())

    /// Whether a frame may pass. Once one is dropped, so are all that follow until one that can be decoded alone.
    func admits(_ frame: LinkFrame) -> Bool {
        state.withLock { state in
            let isFull = state.pending >= Self.maximumPending
            state.isDropping = isFull || (state.isDropping && !frame.isKeyFrame)
            if state.isDropping { state.dropped += 1 } else { state.pending += 1 }
            return !state.isDropping
        }
    }

    func passed() { state.withLock { $0.pending -= 1 } }

    var dropped: Int { state.withLock { $0.dropped } }
}
