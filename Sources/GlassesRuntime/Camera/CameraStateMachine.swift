import GlassesDomain

/// Who may use the camera and what its one stream is doing, without any device or thread.
///
/// The first user's wish decides the mode, and every other user shares it. A use begins with a request, which is refused at once or
/// becomes a lease; a lease is granted when frames come, and it ends once: released by its user, or ended by an action with the
/// reason. The stream stays warm for ``lingerTime`` after its last user; a paused one stays open, since opening it anew would undo
/// what the wearer did.
struct CameraStateMachine: Sendable {
    /// How often opening the stream is tried.
    static let attemptLimit = 3
    /// How long one attempt may take; longer than the 10 s in which devices recover by themselves.
    static let attemptTime = Duration.seconds(12)
    /// Between two attempts.
    static let restTime = Duration.milliseconds(1_500)
    /// How long a use waits for the stream: all attempts and the rests between them.
    static let waitTime = Duration.seconds(39)
    /// How long a photo waits for a usable frame of a running stream.
    static let grabTime = Duration.seconds(10)
    /// The longest photo, with the opening of the stream.
    static let photoTime = Duration.seconds(45)
    /// How long the camera's own still may take: one second more than a port may.
    static let stillTime = Duration.seconds(12)
    /// How long a stream stays open after its last user: the next photo of a conversation comes at once, and a forgotten camera
    /// goes dark.
    static let lingerTime = Duration.seconds(10)
    /// After this long without a frame a running stream is closed and opened anew; ten frames of the slowest documented rate.
    static let stallTime = Duration.seconds(5)
    /// How often a running stream is looked at.
    static let watchInterval = Duration.seconds(1)
    /// How many stalls in a row end the uses.
    static let stallLimit = 3

    /// One use of the camera.
    struct LeaseID: Sendable, Hashable, Comparable {
        var number: Int

        static func < (left: LeaseID, right: LeaseID) -> Bool { left.number < right.number }
    }

    /// One opening of the stream.
    struct StreamID: Sendable, Hashable {
        var number: Int
    }

    /// What happened.
    enum Input: Sendable, Hashable {
        /// The transport or its connection changed; no modes mean no camera.
        case deviceChanged(modes: [CameraMode], isConnected: Bool)
        case gateChanged(CameraGate)
        case leaseRequested(LeaseID, CameraUse, CameraWish)
        case leaseReleased(LeaseID)
        /// The first frame came.
        case opened(StreamID)
        case openFailed(StreamID, CaptureError)
        case paused(StreamID, CaptureError)
        case resumed(StreamID)
        case ended(StreamID, CaptureError)
        case closed(StreamID)
        /// The watch looked when the newest usable frame came; nil for none.
        case watched(StreamID, lastFrame: MonotonicTime?)
        /// The camera's own still came, or the reason why not.
        case stillEnded(CaptureError?)
        case timerFired(Timer)
    }

    /// What has to be done, in this order.
    enum Action: Sendable, Hashable {
        case publishState(CameraStreamState)
        case publishInfo(ActiveStreamInfo?)
        case publishHealth(CameraStatus)
        case open(StreamID, CameraMode)
        /// Closes the stream once its opening has been answered.
        case close(StreamID)
        case grant(LeaseID)
        case end(LeaseID, CaptureError)
        /// Starts the timer anew if it runs.
        case startTimer(Timer, at: MonotonicTime)
        case cancelTimer(Timer)
        case note(Note)
    }

    enum Timer: Sendable, Hashable {
        case attempt
        case rest
        case linger
        /// Answered by ``Input/watched(_:lastFrame:)``.
        case watch(StreamID)
        case lease(LeaseID)
    }

    /// What the runtime's log is told.
    enum Note: Sendable, Hashable {
        /// The first user's wish has decided the mode.
        case locked(CameraWish, CameraMode)
        /// A later user shares a stream that is not as it wished.
        case shared(CameraUse, CameraWish, CameraMode)
        case retrying(attempt: Int, CaptureError)
        case stalled
    }

    private struct Lease: Sendable, Hashable {
        var use: CameraUse
        var wish: CameraWish
        var requestedAt: MonotonicTime
        var isGranted = false
    }

    private enum Phase: Sendable, Hashable {
        case idle
        case arming(StreamID, attempt: Int)
        case resting(afterAttempt: Int)
        case streaming(StreamID)
        case paused(StreamID, CaptureError)
        case stopping(StreamID, then: Next)
    }

    /// What follows when the stream is closed.
    private enum Next: Sendable, Hashable {
        case idle
        case rest(afterAttempt: Int)
        case restart
    }

    private var modes: [CameraMode] = []
    private var isConnected = false
    private var gate = CameraGate.open
    private var leases: [LeaseID: Lease] = [:]
    private var phase = Phase.idle
    private var mode: CameraMode?
    private var streams = 0
    private var lastError: CaptureError?
    /// Since when frames are expected.
    private var watchedSince = MonotonicTime.zero
    private var stalls = 0
    private var health = CameraStatus.ready

    /// Whether no stream is open, being opened or being closed.
    private var isReleased: Bool {
        switch phase {
        case .idle, .resting: true
        case .arming, .streaming, .paused, .stopping: false
        }
    }

    /// Whether the device is let go, or may be in use.
    var isSettled: Bool { isReleased || (isConnected && gate.isOpen) }

    /// Takes a fact and answers what has to be done.
    mutating func apply(_ input: Input, at now: MonotonicTime) -> [Action] {
        let before = published
        var actions: [Action] = []
        switch input {
        case .deviceChanged(let modes, let isConnected): changeDevice(modes, isConnected, &actions)
        case .gateChanged(let gate): change(gate, &actions)
        case .leaseRequested(let id, let use, let wish): request(id, use, wish, now, &actions)
        case .leaseReleased(let id): release(id, now, &actions)
        case .opened(let stream): opened(stream, now, &actions)
        case .openFailed(let stream, let error): openFailed(stream, error, now, &actions)
        case .paused(let stream, let reason): paused(stream, reason, &actions)
        case .resumed(let stream): resumed(stream, now, &actions)
        case .ended(let stream, let reason): ended(stream, reason, &actions)
        case .closed(let stream): closed(stream, now, &actions)
        case .watched(let stream, let lastFrame): watched(stream, lastFrame, now, &actions)
        case .stillEnded(let error): assess(error)
        case .timerFired(let timer): fired(timer, now, &actions)
        }
        return published.changes(since: before) + actions
    }
}

// MARK: - What everybody sees

extension CameraStateMachine {
    private struct Published {
        var state: CameraStreamState
        var info: ActiveStreamInfo?
        var health: CameraStatus

        func changes(since old: Published) -> [Action] {
            (state == old.state ? [] : [.publishState(state)]) + (info == old.info ? [] : [.publishInfo(info)])
                + (health == old.health ? [] : [.publishHealth(health)])
        }
    }

    private var published: Published {
        let (state, isOpen): (CameraStreamState, Bool) =
            switch phase {
            case .idle: (.idle, false)
            case .arming, .resting, .stopping(_, .rest), .stopping(_, .restart): (.arming, false)
            case .streaming: (.streaming, true)
            case .paused: (.paused, true)
            case .stopping(_, .idle): (.stopping, false)
            }
        return Published(state: state, info: isOpen ? mode.map(ActiveStreamInfo.init) : nil, health: health)
    }

    private mutating func assess(_ error: CaptureError?) {
        guard let error else {
            health = .ready
            return
        }
        if error.isBreakage {
            health = .broken
        } else if health == .starting {
            health = .ready
        }
    }
}

// MARK: - The device and the user

extension CameraStateMachine {
    private mutating func changeDevice(_ modes: [CameraMode], _ isConnected: Bool, _ actions: inout [Action]) {
        guard modes != self.modes || isConnected != self.isConnected else { return }
        self.modes = modes
        self.isConnected = isConnected
        endAll(.notConnected, &actions)
        stop(&actions)
        health = .ready
    }

    private mutating func change(_ gate: CameraGate, _ actions: inout [Action]) {
        guard gate != self.gate else { return }
        self.gate = gate
        guard case .closed(let toggle) = gate else { return }
        endAll(.disabledByUser(toggle: toggle), &actions)
        stop(&actions)
    }
}

// MARK: - Leases

extension CameraStateMachine {
    private mutating func request(
        _ id: LeaseID, _ use: CameraUse, _ wish: CameraWish, _ now: MonotonicTime, _ actions: inout [Action]
    ) {
        guard leases[id] == nil else { return }
        if let refusal = refusal(of: use) { return actions.append(.end(id, refusal)) }
        leases[id] = Lease(use: use, wish: wish, requestedAt: now)
        guard use.needsStream else { return grant(id, now, &actions) }
        actions.append(.startTimer(.lease(id), at: now.advanced(by: Self.waitTime)))
        switch phase {
        case .idle: armAnew(&actions, now)
        case .streaming:
            actions.append(.cancelTimer(.linger))
            grant(id, now, &actions)
        case .arming, .resting, .stopping, .paused: break  // Granted when frames come; a pause has refused already.
        }
    }

    /// Why a use cannot begin now; nil when it can.
    private func refusal(of use: CameraUse) -> CaptureError? {
        guard isConnected else { return .notConnected }
        guard !modes.isEmpty else { return .noCamera }
        if case .closed(let toggle) = gate { return .disabledByUser(toggle: toggle) }
        if case .paused(_, let reason) = phase { return reason }
        if use == .still, leases.values.contains(where: { $0.use == .still }) { return .stillUnderWay }
        return nil
    }

    private mutating func grant(_ id: LeaseID, _ now: MonotonicTime, _ actions: inout [Action]) {
        guard let lease = leases[id], !lease.isGranted else { return }
        leases[id]?.isGranted = true
        switch lease.use {
        case .photo:
            let end = min(now.advanced(by: Self.grabTime), lease.requestedAt.advanced(by: Self.photoTime))
            actions.append(.startTimer(.lease(id), at: end))
        case .still: actions.append(.startTimer(.lease(id), at: now.advanced(by: Self.stillTime)))
        case .clip, .frames: actions.append(.cancelTimer(.lease(id)))
        }
        if lease.use.needsStream, let mode, isOther(lease.wish, mode) {
            actions.append(.note(.shared(lease.use, lease.wish, mode)))
        }
        actions.append(.grant(id))
    }

    /// Whether a wish alone would have led to another mode; the way frames are stored is nobody's concern.
    private func isOther(_ wish: CameraWish, _ mode: CameraMode) -> Bool {
        guard let own = wish.nearest(in: modes) else { return false }
        return (own.width, own.height, own.frameRate) != (mode.width, mode.height, mode.frameRate)
    }

    private mutating func release(_ id: LeaseID, _ now: MonotonicTime, _ actions: inout [Action]) {
        guard leases.removeValue(forKey: id) != nil else { return }
        actions.append(.cancelTimer(.lease(id)))
        usersLeft(now, &actions)
    }

    /// Ends one use that waited too long.
    private mutating func timeOut(_ id: LeaseID, _ now: MonotonicTime, _ actions: inout [Action]) {
        guard let lease = leases[id] else { return }
        let error: CaptureError =
            switch (lease.use, lease.isGranted) {
            case (.still, _): .stillTimeout
            case (_, true): .grabTimeout
            case (_, false): lastError ?? .armTimeout
            }
        end(id, error, &actions)
        assess(error)
        usersLeft(now, &actions)
    }

    private mutating func end(_ id: LeaseID, _ error: CaptureError, _ actions: inout [Action]) {
        leases[id] = nil
        actions += [.cancelTimer(.lease(id)), .end(id, error)]
    }

    private mutating func endAll(_ error: CaptureError, _ actions: inout [Action]) {
        for id in leases.keys.sorted() { end(id, error, &actions) }
    }

    private mutating func endUsers(_ error: CaptureError, _ actions: inout [Action]) {
        for id in users { end(id, error, &actions) }
    }

    /// The leases that need the stream.
    private var users: [LeaseID] { leases.filter(\.value.use.needsStream).keys.sorted() }

    private mutating func usersLeft(_ now: MonotonicTime, _ actions: inout [Action]) {
        guard users.isEmpty else { return }
        switch phase {
        case .streaming: actions.append(.startTimer(.linger, at: now.advanced(by: Self.lingerTime)))
        case .resting:
            actions.append(.cancelTimer(.rest))
            becomeIdle()
        case .idle, .arming, .paused, .stopping: break
        }
    }
}

// MARK: - The stream

extension CameraStateMachine {
    /// Opens a stream in the mode that the first user wishes.
    private mutating func armAnew(_ actions: inout [Action], _ now: MonotonicTime) {
        guard let first = users.first.flatMap({ leases[$0] }), let mode = first.wish.nearest(in: modes) else {
            return becomeIdle()
        }
        self.mode = mode
        stalls = 0
        lastError = nil
        actions.append(.note(.locked(first.wish, mode)))
        arm(attempt: 1, now, &actions)
    }

    private mutating func arm(attempt: Int, _ now: MonotonicTime, _ actions: inout [Action]) {
        guard let mode else { return becomeIdle() }
        streams += 1
        let stream = StreamID(number: streams)
        phase = .arming(stream, attempt: attempt)
        health = .starting
        actions += [.open(stream, mode), .startTimer(.attempt, at: now.advanced(by: Self.attemptTime))]
    }

    private mutating func opened(_ stream: StreamID, _ now: MonotonicTime, _ actions: inout [Action]) {
        guard case .arming(stream, _) = phase else { return }
        actions.append(.cancelTimer(.attempt))
        run(stream, now, &actions)
        for id in users { grant(id, now, &actions) }
    }

    private mutating func run(_ stream: StreamID, _ now: MonotonicTime, _ actions: inout [Action]) {
        phase = .streaming(stream)
        health = .ready
        watchedSince = now
        actions.append(.startTimer(.watch(stream), at: now.advanced(by: Self.watchInterval)))
        usersLeft(now, &actions)
    }

    private mutating func openFailed(
        _ stream: StreamID, _ error: CaptureError, _ now: MonotonicTime, _ actions: inout [Action]
    ) {
        switch phase {
        case .arming(stream, let attempt):
            actions.append(.cancelTimer(.attempt))
            attemptFailed(attempt, error, now, &actions)
        case .paused(stream, _):
            endUsers(error, &actions)
            assess(error)
            becomeIdle()
        case .idle, .arming, .resting, .streaming, .paused, .stopping: break
        }
    }

    private mutating func attemptFailed(
        _ attempt: Int, _ error: CaptureError, _ now: MonotonicTime, _ actions: inout [Action]
    ) {
        lastError = error
        if error.isFinal || attempt >= Self.attemptLimit || users.isEmpty {
            endUsers(error, &actions)
            assess(error)
            return becomeIdle()
        }
        phase = .resting(afterAttempt: attempt)
        actions += [
            .note(.retrying(attempt: attempt, error)), .startTimer(.rest, at: now.advanced(by: Self.restTime)),
        ]
    }

    private mutating func paused(_ stream: StreamID, _ reason: CaptureError, _ actions: inout [Action]) {
        switch phase {
        case .arming(stream, _), .streaming(stream): break
        case .idle, .arming, .resting, .streaming, .paused, .stopping: return
        }
        phase = .paused(stream, reason)
        assess(reason)
        actions += [.cancelTimer(.attempt), .cancelTimer(.linger), .cancelTimer(.watch(stream))]
        // A running recording and running readers sit the pause out; a photo would only wait for its time-out.
        for id in leases.keys.sorted() {
            if let lease = leases[id], !lease.isGranted || lease.use == .photo || lease.use == .still {
                end(id, reason, &actions)
            }
        }
    }

    private mutating func resumed(_ stream: StreamID, _ now: MonotonicTime, _ actions: inout [Action]) {
        guard case .paused(stream, _) = phase else { return }
        run(stream, now, &actions)
    }

    private mutating func ended(_ stream: StreamID, _ reason: CaptureError, _ actions: inout [Action]) {
        switch phase {
        case .arming(stream, _), .streaming(stream), .paused(stream, _):
            endUsers(reason, &actions)
            assess(reason)
            stop(&actions)
        case .idle, .arming, .resting, .streaming, .paused, .stopping: break
        }
    }

    /// Closes the stream, if there is one, and opens none until somebody asks again.
    private mutating func stop(_ actions: inout [Action]) {
        switch phase {
        case .idle: break
        case .resting:
            actions.append(.cancelTimer(.rest))
            becomeIdle()
        case .arming(let stream, _), .streaming(let stream), .paused(let stream, _):
            close(stream, then: .idle, &actions)
        case .stopping(let stream, _): phase = .stopping(stream, then: .idle)
        }
    }

    private mutating func close(_ stream: StreamID, then next: Next, _ actions: inout [Action]) {
        phase = .stopping(stream, then: next)
        if health == .starting, next == .idle { health = .ready }
        actions += [
            .cancelTimer(.attempt), .cancelTimer(.linger), .cancelTimer(.watch(stream)), .close(stream),
        ]
    }

    private mutating func closed(_ stream: StreamID, _ now: MonotonicTime, _ actions: inout [Action]) {
        guard case .stopping(stream, let next) = phase else { return }
        guard !users.isEmpty else { return becomeIdle() }
        switch next {
        case .idle: armAnew(&actions, now)
        case .restart: arm(attempt: 1, now, &actions)
        case .rest(let attempt): attemptFailed(attempt, .armTimeout, now, &actions)
        }
    }

    private mutating func becomeIdle() {
        phase = .idle
        mode = nil
        if health == .starting { health = .ready }
    }
}

// MARK: - Time

extension CameraStateMachine {
    private mutating func fired(_ timer: Timer, _ now: MonotonicTime, _ actions: inout [Action]) {
        switch timer {
        case .attempt: attemptTimedOut(&actions)
        case .rest:
            guard case .resting(let attempt) = phase else { return }
            arm(attempt: attempt + 1, now, &actions)
        case .linger:
            guard case .streaming = phase, users.isEmpty else { return }
            stop(&actions)
        case .lease(let id): timeOut(id, now, &actions)
        case .watch: break  // The driver answers it with what it saw.
        }
    }

    /// The port still owes its answer: the stream is closed before the next attempt, so that a late one finds nothing.
    private mutating func attemptTimedOut(_ actions: inout [Action]) {
        guard case .arming(let stream, let attempt) = phase else { return }
        lastError = .armTimeout
        guard attempt < Self.attemptLimit else {
            endUsers(.armTimeout, &actions)
            assess(.armTimeout)
            return stop(&actions)
        }
        close(stream, then: .rest(afterAttempt: attempt), &actions)
    }

    private mutating func watched(
        _ stream: StreamID, _ lastFrame: MonotonicTime?, _ now: MonotonicTime, _ actions: inout [Action]
    ) {
        guard case .streaming(stream) = phase else { return }
        let last = max(lastFrame ?? watchedSince, watchedSince)
        guard last.duration(to: now) >= Self.stallTime else {
            if watchedSince.duration(to: now) >= Self.stallTime { stalls = 0 }
            return actions.append(.startTimer(.watch(stream), at: now.advanced(by: Self.watchInterval)))
        }
        stalls += 1
        actions.append(.note(.stalled))
        guard stalls < Self.stallLimit, !users.isEmpty else {
            endUsers(.stalled, &actions)
            assess(.stalled)
            return stop(&actions)
        }
        close(stream, then: .restart, &actions)
    }
}
