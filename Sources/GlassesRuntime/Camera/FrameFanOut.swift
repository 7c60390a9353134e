import GlassesDomain
import Synchronization

/// Hands each frame of the shared stream to everybody who holds a granted lease, once it is known to make sense.
final class FrameFanOut: Sendable {
    typealias StreamID = CameraStateMachine.StreamID

    /// A frame from further ahead than this would make every later one look old; clocks of two processes differ by nothing.
    static let futureLimit = Duration.seconds(1)

    /// Why a frame was refused.
    enum Fault: String, Sendable, Hashable {
        /// Its time is not later than that of the frame before.
        case timeJumpedBack = "time_jumped_back"
        case timeInFuture = "time_in_future"
        /// Its size or format is not that of the stream's first frame.
        case wrongShape = "wrong_shape"
    }

    private struct Shape: Equatable {
        var width: Int
        var height: Int
        var format: CameraPixelFormat
    }

    private struct State {
        var isGateOpen = true
        var stream: StreamID?
        var shape: Shape?
        var newest: MonotonicTime?
        var lastArrival: MonotonicTime?
        var faults: Set<Fault> = []
        var refused: Int64 = 0
        var users: [CameraStateMachine.LeaseID: CameraLease] = [:]
    }

    private let state = Mutex(State())
    private let clock: ClockPort
    private let onFault: @Sendable (Fault) -> Void

    /// `onFault` is told each kind of fault once a stream.
    init(clock: ClockPort, onFault: @escaping @Sendable (Fault) -> Void) {
        self.clock = clock
        self.onFault = onFault
    }

    /// When the newest usable frame came; nil before the first one of the stream.
    var lastArrival: MonotonicTime? { state.withLock { $0.lastArrival } }

    /// Frames that made no sense, over all streams.
    var refused: Int64 { state.withLock { $0.refused } }

    /// With a closed gate no frame passes, whatever the device does.
    func setGate(isOpen: Bool) { state.withLock { $0.isGateOpen = isOpen } }

    /// A stream begins; frames of other streams are dropped from now on.
    func begin(_ stream: StreamID) {
        state.withLock { state in
            state.stream = stream
            (state.shape, state.newest, state.lastArrival) = (nil, nil, nil)
            state.faults = []
        }
    }

    /// Frames of the stream are dropped from now on.
    func end(_ stream: StreamID) { state.withLock { if $0.stream == stream { $0.stream = nil } } }

    func add(_ lease: CameraLease) { state.withLock { $0.users[lease.id] = lease } }

    func remove(_ id: CameraStateMachine.LeaseID) { _ = state.withLock { $0.users.removeValue(forKey: id) } }

    /// A frame of a stream, on its reader thread.
    func deliver(_ frame: CameraFrame, of stream: StreamID) {
        let now = clock.now()
        let (users, fault) = state.withLock { state -> ([CameraLease], Fault?) in
            guard state.stream == stream, state.isGateOpen else { return ([], nil) }
            if let fault = Self.fault(of: frame, at: now, state) {
                state.refused += 1
                return ([], state.faults.insert(fault).inserted ? fault : nil)
            }
            state.shape = state.shape ?? Shape(width: frame.width, height: frame.height, format: frame.format)
            (state.newest, state.lastArrival) = (frame.time, now)
            return (Array(state.users.values), nil)
        }
        if let fault { onFault(fault) }
        for user in users { user.take(frame) }
    }

    private static func fault(of frame: CameraFrame, at now: MonotonicTime, _ state: State) -> Fault? {
        if frame.time > now.advanced(by: futureLimit) { return .timeInFuture }
        if let newest = state.newest, frame.time <= newest { return .timeJumpedBack }
        let shape = Shape(width: frame.width, height: frame.height, format: frame.format)
        if let known = state.shape, known != shape { return .wrongShape }
        return nil
    }
}
