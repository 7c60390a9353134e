import Dispatch
import GlassesDomain
import Synchronization

/// The effects of the camera: takes an input, applies it to the machine and starts the actions, one input after another on one
/// queue. Every outcome comes back as another input.
final class CameraDriver: Sendable {
    typealias LeaseID = CameraStateMachine.LeaseID
    typealias StreamID = CameraStateMachine.StreamID
    typealias Timer = CameraStateMachine.Timer

    /// How long ``settled()`` waits at most: a stream closes within 4 s.
    static let settleLimit = Duration.seconds(5)

    private struct State {
        var machine = CameraStateMachine()
        var port: (any CameraPort)?
        var isConnected = false
        /// The port that the present stream was opened on.
        var streamPort: (any CameraPort)?
        var leases: [LeaseID: CameraLease] = [:]
        var leaseCount = 0
        var timers: [Timer: (number: Int, task: Task<Void, Never>)] = [:]
        var timerCount = 0
        var settling: [AsyncStream<Void>.Continuation] = []
    }

    /// What the stream is doing.
    let streamState = ObservableBox<CameraStreamState>(.idle)
    /// What it is locked at.
    let streamInfo = ObservableBox<ActiveStreamInfo?>(nil)
    let frames: FrameFanOut
    private let queue = DispatchQueue(label: "org.extentos.camera", qos: .userInitiated)
    private let state = Mutex(State())
    private let portOrders = OperationChain()
    private let clock: ClockPort
    private let events: EventLog
    private let onHealth: @Sendable (CameraStatus) -> Void

    /// `onHealth` gets the camera's health, in order; it must not block.
    init(clock: ClockPort, events: EventLog, onHealth: @escaping @Sendable (CameraStatus) -> Void) {
        self.clock = clock
        self.events = events
        self.onHealth = onHealth
        frames = FrameFanOut(clock: clock) { fault in
            events.log(.warn, "camera.frame_refused", ["reason": .string(fault.rawValue)])
        }
    }

    /// Follows the transport; returns when the old camera is released.
    func setPort(_ port: (any CameraPort)?) async {
        state.withLock { $0.port = port }
        await deviceChanged()
    }

    /// Follows the device's connection; returns when the camera of a lost one is released.
    func setConnected(_ isConnected: Bool) async {
        state.withLock { $0.isConnected = isConnected }
        await deviceChanged()
    }

    private func deviceChanged() async {
        queue.async { [self] in
            let (port, isConnected) = state.withLock { ($0.port, $0.isConnected) }
            accept(.deviceChanged(modes: port?.facts.modes ?? [], isConnected: isConnected))
        }
        await settled()
    }

    /// Follows the user's gate: no frame passes a closed one after this. ``settled()`` returns when the device is released.
    func applyGate(_ gate: CameraGate) {
        frames.setGate(isOpen: gate.isOpen)
        post(.gateChanged(gate))
    }

    /// Returns when the device is released, if it has to be.
    func settled() async {
        let (settling, settle) = AsyncStream<Void>.makeStream()
        queue.async { [self] in
            state.withLock { $0.settling.append(settle) }
            answerSettled()
        }
        let deadline = clock.now().advanced(by: Self.settleLimit)
        let limit = Task(executorPreference: RuntimeThreads.shared) { [clock] in
            do { try await clock.sleepUntil(deadline) } catch { return }
            settle.finish()
        }
        for await _ in settling {}
        limit.cancel()
    }

    /// Asks for the camera. The lease ends by itself with the reason, or by its release.
    func lease(
        _ use: CameraUse, _ wish: CameraWish,
        buffering: AsyncStream<CameraFrame>.Continuation.BufferingPolicy = .bufferingNewest(1), holdsBack: Bool = false,
        accepts: @escaping @Sendable (CameraFrame) -> Bool = { _ in true }
    ) -> CameraLease {
        let lease = state.withLock { state in
            state.leaseCount += 1
            let lease = CameraLease(
                id: LeaseID(number: state.leaseCount), buffering: buffering, holdsBack: holdsBack, accepts: accepts,
                onRelease: { [weak self] in self?.released($0) })
            state.leases[lease.id] = lease
            return lease
        }
        post(.leaseRequested(lease.id, use, wish))
        return lease
    }

    /// What the camera can do; nil without one.
    var facts: CameraFacts? { state.withLock { $0.port }?.facts }

    /// The connected device's camera, for its own stills.
    var port: (any CameraPort)? { state.withLock { $0.port } }

    /// Tells how a still ended.
    func stillEnded(_ error: CaptureError?) { post(.stillEnded(error)) }

    /// Ends the streams of the state.
    func finish() {
        streamState.finish()
        streamInfo.finish()
    }

    private func released(_ id: LeaseID) {
        frames.remove(id)
        queue.async { [self] in
            accept(.leaseReleased(id))
            // Again: the grant may have been under way.
            frames.remove(id)
            _ = state.withLock { $0.leases.removeValue(forKey: id) }
        }
    }
}

// MARK: - Inputs

extension CameraDriver {
    private func post(_ input: CameraStateMachine.Input) { queue.async { [self] in accept(input) } }

    /// On the queue only, so that the actions of two inputs never mix.
    private func accept(_ input: CameraStateMachine.Input) {
        let now = clock.now()
        let actions = state.withLock { $0.machine.apply(input, at: now) }
        for action in actions { perform(action) }
        answerSettled()
    }

    private func answerSettled() {
        let settled = state.withLock { state in
            guard state.machine.isSettled else { return [] as [AsyncStream<Void>.Continuation] }
            defer { state.settling = [] }
            return state.settling
        }
        for continuation in settled { continuation.finish() }
    }
}

// MARK: - Actions

extension CameraDriver {
    private func perform(_ action: CameraStateMachine.Action) {
        switch action {
        case .publishState(let value): streamState.set(value)
        case .publishInfo(let value): streamInfo.set(value)
        case .publishHealth(let value): onHealth(value)
        case .open(let stream, let mode): open(stream, mode)
        case .close(let stream): close(stream)
        case .grant(let id): grant(id)
        case .end(let id, let error): end(id, error)
        case .startTimer(let timer, let moment): start(timer, at: moment)
        case .cancelTimer(let timer): state.withLock { $0.timers.removeValue(forKey: timer) }?.task.cancel()
        case .note(let note): events.log(note)
        }
    }

    private func open(_ stream: StreamID, _ mode: CameraMode) {
        frames.begin(stream)
        let port = state.withLock { state in
            state.streamPort = state.port
            return state.port
        }
        guard let port else { return post(.openFailed(stream, .noCamera)) }
        portOrders.add { [self] in
            let result = await port.open(
                mode, onFrame: { [weak self] in self?.frames.deliver($0, of: stream) },
                onChange: { [weak self] in self?.changed(stream, $0) })
            switch result {
            case .success: post(.opened(stream))
            case .failure(let error): post(.openFailed(stream, error))
            }
        }
    }

    private func changed(_ stream: StreamID, _ change: CameraStreamChange) {
        switch change {
        case .resumed: post(.resumed(stream))
        case .paused(let reason): post(.paused(stream, reason))
        case .ended(let reason): post(.ended(stream, reason))
        }
    }

    private func close(_ stream: StreamID) {
        frames.end(stream)
        let port = state.withLock { $0.streamPort }
        portOrders.add { [self] in
            await port?.close()
            events.log(
                .info, "camera.stream_closed",
                ["lost": .int(port?.droppedFrames ?? 0), "refused": .int(frames.refused)])
            post(.closed(stream))
        }
    }

    private func grant(_ id: LeaseID) {
        guard let lease = state.withLock({ $0.leases[id] }) else { return }
        frames.add(lease)
        lease.grant()
    }

    private func end(_ id: LeaseID, _ error: CaptureError) {
        frames.remove(id)
        state.withLock { $0.leases.removeValue(forKey: id) }?.end(error)
    }

    private func start(_ timer: Timer, at moment: MonotonicTime) {
        let number = state.withLock { state in
            state.timerCount += 1
            return state.timerCount
        }
        let task = Task(executorPreference: RuntimeThreads.shared) { [weak self, clock] in
            do { try await clock.sleepUntil(moment) } catch { return }
            self?.fired(timer, number)
        }
        state.withLock { $0.timers.updateValue((number, task), forKey: timer) }?.task.cancel()
    }

    private func fired(_ timer: Timer, _ number: Int) {
        queue.async { [self] in
            // A timer that was cancelled or started anew while this waited has not fired.
            let isCurrent = state.withLock { state in
                guard state.timers[timer]?.number == number else { return false }
                state.timers[timer] = nil
                return true
            }
            guard isCurrent else { return }
            if case .watch(let stream) = timer {
                accept(.watched(stream, lastFrame: frames.lastArrival))
            } else {
                accept(.timerFired(timer))
            }
        }
    }
}
