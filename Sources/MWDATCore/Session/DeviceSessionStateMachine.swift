/// The states of a device session.
struct DeviceSessionStateMachine: Sendable {
    /// What happened.
    enum Input: Equatable, Sendable {
        /// The app started it; `isReady` when the glasses are connected and no earlier session holds them.
        case startAsked(isReady: Bool)
        case stopAsked
        /// The glasses are connected and free.
        case becameReady
        case linkStarted
        case linkPaused
        case linkResumed
        case linkWarned(Refusal)
        case linkEnded(Refusal?)
        /// The glasses cannot be reached any more, or can again. The link itself ends its sessions, with the better reason.
        case deviceLost(Refusal)
        case deviceFound
        /// Whatever the reason, the link's side is gone.
        case linkLost(Refusal)
        /// The app must not use the glasses any more.
        case trustLost(Refusal)
        /// Another session of the app wants the glasses.
        case takenOver(Refusal)
        case capabilityAttached(CapabilityKind)
        case capabilityDetached(CapabilityKind)
        case timerFired(Timer)
    }

    /// A limit of time; there is one of each at most.
    enum Timer: Sendable, CaseIterable {
        case start
        case device
        case capabilities
        case close

        var delay: Duration {
            switch self {
            // Glasses that sleep need a few seconds to answer.
            case .start: .seconds(10)
            // Time for the link to tell why it ended the session.
            case .device: .seconds(1)
            // What a part may take to stop.
            case .capabilities: .seconds(1)
            // What the glasses may take to let a session go.
            case .close: .seconds(2)
            }
        }
    }

    /// What is to be done.
    enum Action: Equatable, Sendable {
        case open
        case close
        case enter(DeviceSessionState)
        case report(DeviceSessionError)
        case pauseCapabilities
        case resumeCapabilities
        case endCapabilities(Refusal?)
        case schedule(Timer)
        case cancel(Timer)
        /// The session ends for this reason; told before the state changes, and not when the app asked for it.
        case explain(Refusal)
        /// The session is over.
        case end
    }

    private enum State: Equatable {
        case idle
        /// Started by the app, not yet asked of the glasses.
        case waiting
        case opening
        case started
        case paused
        /// Its parts stop; the glasses are still to be told when `closes`.
        case emptying(closes: Bool)
        /// The glasses let it go.
        case closing
        case stopped
    }

    private var internalState = State.idle
    private(set) var attached: Set<CapabilityKind> = []
    /// Why the glasses cannot be reached at the moment.
    private var absence: Refusal?

    /// The state that an app sees.
    var state: DeviceSessionState {
        switch internalState {
        case .idle: .idle
        case .waiting, .opening: .starting
        case .started: .started
        case .paused: .paused
        case .emptying, .closing: .stopping
        case .stopped: .stopped
        }
    }

    /// Whether it waits for its glasses.
    var isWaiting: Bool { internalState == .waiting }

    /// Why it cannot be started; nil when it can or is.
    var startRefusal: DeviceSessionError? {
        switch internalState {
        case .idle, .waiting, .opening, .started, .paused: nil
        case .emptying, .closing, .stopped: .sessionAlreadyStopped
        }
    }

    /// Why a part of that kind cannot be added.
    func attachRefusal(_ kind: CapabilityKind) -> DeviceSessionError? {
        switch internalState {
        case .idle, .waiting, .opening: .sessionIdle
        case .started, .paused: attached.contains(kind) ? .capabilityAlreadyActive : nil
        case .emptying, .closing, .stopped: .sessionAlreadyStopped
        }
    }

    mutating func apply(_ input: Input, at now: Uptime) -> [Action] {
        switch input {
        case .startAsked(let isReady): start(isReady)
        case .stopAsked: finish(reason: nil, error: nil, closes: true)
        case .becameReady: becomeReady()
        case .linkStarted: linkStarted()
        case .linkPaused: pause()
        case .linkResumed: resume()
        case .linkWarned(let refusal): warn(refusal)
        case .linkEnded(let refusal): linkEnded(refusal)
        case .deviceLost(let refusal): deviceLost(refusal)
        case .deviceFound: deviceFound()
        case .linkLost(let refusal): linkLost(refusal)
        case .trustLost(let refusal), .takenOver(let refusal): endFromHere(refusal)
        case .capabilityAttached(let kind): attach(kind)
        case .capabilityDetached(let kind): detach(kind)
        case .timerFired(let timer): fire(timer)
        }
    }

    private mutating func start(_ isReady: Bool) -> [Action] {
        guard internalState == .idle else { return [] }
        internalState = isReady ? .opening : .waiting
        return [.enter(.starting), .schedule(.start)] + (isReady ? [.open] : [])
    }

    private mutating func becomeReady() -> [Action] {
        guard internalState == .waiting else { return [] }
        internalState = .opening
        return [.open]
    }

    private mutating func linkStarted() -> [Action] {
        guard internalState == .opening else { return [] }
        internalState = .started
        return [.cancel(.start), .enter(.started)]
    }

    private mutating func pause() -> [Action] {
        guard internalState == .started else { return [] }
        internalState = .paused
        return [.enter(.paused), .pauseCapabilities]
    }

    private mutating func resume() -> [Action] {
        guard internalState == .paused else { return [] }
        internalState = .started
        return [.enter(.started), .resumeCapabilities]
    }

    private func warn(_ refusal: Refusal) -> [Action] {
        switch internalState {
        case .opening, .started, .paused: [.report(DeviceSessionError(warned: refusal))]
        case .idle, .waiting, .emptying, .closing, .stopped: []
        }
    }

    private mutating func linkEnded(_ refusal: Refusal?) -> [Action] {
        switch internalState {
        case .opening:
            let reason = refusal ?? .endedWhileStarting
            return finish(reason: reason, error: DeviceSessionError(ended: reason), closes: false)
        case .started, .paused:
            // The wearer's own gesture is no failure.
            let isFailure = refusal.map { $0.check != .endedByDevice } ?? false
            return finish(
                reason: refusal, error: isFailure ? refusal.map(DeviceSessionError.init(ended:)) : nil, closes: false)
        case .emptying:
            internalState = .emptying(closes: false)
            return []
        case .closing: return stop()
        case .idle, .waiting, .stopped: return []
        }
    }

    private mutating func deviceLost(_ refusal: Refusal) -> [Action] {
        switch internalState {
        case .opening, .started, .paused:
            defer { absence = refusal }
            return absence == nil ? [.schedule(.device)] : []
        case .idle, .waiting, .emptying, .closing, .stopped: return []
        }
    }

    private mutating func deviceFound() -> [Action] {
        guard absence != nil else { return [] }
        absence = nil
        return [.cancel(.device)]
    }

    private mutating func deviceStayedAway() -> [Action] {
        guard let absence else { return [] }
        return finish(reason: absence, error: DeviceSessionError(ended: absence), closes: true)
    }

    private mutating func linkLost(_ refusal: Refusal) -> [Action] {
        switch internalState {
        case .idle, .waiting, .opening, .started, .paused:
            return finish(reason: refusal, error: DeviceSessionError(ended: refusal), closes: false)
        case .emptying:
            internalState = .emptying(closes: false)
            return []
        case .closing: return stop()
        case .stopped: return []
        }
    }

    private mutating func endFromHere(_ refusal: Refusal) -> [Action] {
        finish(reason: refusal, error: DeviceSessionError(ended: refusal), closes: true)
    }

    private mutating func attach(_ kind: CapabilityKind) -> [Action] {
        attached.insert(kind)
        return []
    }

    private mutating func detach(_ kind: CapabilityKind) -> [Action] {
        attached.remove(kind)
        return attached.isEmpty ? emptied() : []
    }

    private mutating func fire(_ timer: Timer) -> [Action] {
        switch (timer, internalState) {
        case (.start, .waiting):
            return finish(reason: .connectTimeout, error: DeviceSessionError(ended: .connectTimeout), closes: false)
        case (.start, .opening):
            return finish(reason: .startTimeout, error: DeviceSessionError(ended: .startTimeout), closes: true)
        case (.capabilities, .emptying):
            attached = []
            return emptied()
        case (.close, .closing): return stop()
        case (.device, .opening), (.device, .started), (.device, .paused): return deviceStayedAway()
        case (.start, _), (.device, _), (.capabilities, _), (.close, _): return []
        }
    }

    /// Begins the end of a session that has not begun to end.
    private mutating func finish(reason: Refusal?, error: DeviceSessionError?, closes: Bool) -> [Action] {
        let wasOpened: Bool
        switch internalState {
        case .idle, .waiting: wasOpened = false
        case .opening, .started, .paused: wasOpened = true
        case .emptying, .closing, .stopped: return []
        }
        internalState = .emptying(closes: closes && wasOpened)
        absence = nil
        let begin: [Action] =
            [.cancel(.start), .cancel(.device)] + (reason.map { [.explain($0)] } ?? []) + [.enter(.stopping)]
            + (error.map { [.report($0)] } ?? [])
        guard !attached.isEmpty else { return begin + emptied() }
        return begin + [.endCapabilities(reason), .schedule(.capabilities)]
    }

    private mutating func emptied() -> [Action] {
        guard case .emptying(let closes) = internalState else { return [] }
        guard closes else { return stop() }
        internalState = .closing
        return [.cancel(.capabilities), .close, .schedule(.close)]
    }

    private mutating func stop() -> [Action] {
        internalState = .stopped
        return [.cancel(.capabilities), .cancel(.close), .enter(.stopped), .end]
    }
}
