import Dispatch
import MWDATCore
import Synchronization

/// What a display needs of its session.
struct DisplayPorts: Sendable {
    /// Names the session on the link.
    var session: LinkSession
    /// The toolkit's serial queue, on which every action takes place. No code of the app runs there.
    var work: DispatchQueue
    /// The toolkit's serial queue on which the app's code runs.
    var announcements: DispatchQueue
    /// What becomes of listener tokens that are dropped.
    var tokenRule = TokenRule.ofProcess
    var timekeeper: any Timekeeper
    /// A number that pairs a command with its answer.
    var nextRequest: @Sendable () -> LinkRequest
    var send: @Sendable (LinkCommand) -> Void
    /// Tells the session that the display has ended.
    var detach: @Sendable (DisplayDriver) -> Void
}

/// Starts what a display's machine decides. It keeps continuations, timers and the app's handlers by their identifiers.
final class DisplayDriver: Sendable {
    private struct Held {
        var machine = DisplayStateMachine()
        /// What listeners were told last.
        var published = DisplayState.stopped
        var waiters: [LinkRequest: CheckedContinuation<DisplayError?, Never>] = [:]
        var timers: [DisplayStateMachine.Timer: any PendingTimer] = [:]
        var handlers: [LinkRequest: ViewHandlers] = [:]
        var onPlaybackEvent: (@Sendable (VideoPlaybackEvent) -> Void)?
    }

    /// What the display does.
    let states: StatePublisher<DisplayState>
    /// What went wrong without a call that could throw it.
    let errors: ListenerStore<DisplayError>
    private let ports: DisplayPorts
    private let held = Mutex(Held())

    init(_ ports: DisplayPorts) {
        self.ports = ports
        states = StatePublisher("Display.statePublisher", .stopped, on: ports.announcements, rule: ports.tokenRule)
        errors = ListenerStore("Display.errorPublisher", on: ports.announcements, rule: ports.tokenRule)
    }

    /// The machine's state; a display that has ended counts as `stopping` until its place in the session is free.
    var state: DisplayState {
        held.withLock { held in
            held.machine.state == .stopped && held.published != .stopped ? .stopping : held.machine.state
        }
    }

    var endReason: Refusal? { held.withLock { $0.machine.endReason } }

    var onPlaybackEvent: (@Sendable (VideoPlaybackEvent) -> Void)? {
        get { held.withLock { $0.onPlaybackEvent } }
        set {
            // With the old one objects of the app may go, whose ends may call the display: not under the lock.
            let old = held.withLock { held in
                defer { held.onPlaybackEvent = newValue }
                return held.onPlaybackEvent
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Takes a fact. Its consequences take place later, in the order of the facts.
    func take(_ input: DisplayStateMachine.Input) {
        held.withLock { take(input, &$0) }
    }

    /// Takes a call that the display answers, and waits for its end; what it ended with, or nil when all is well.
    func ask(
        handlers: ViewHandlers? = nil, _ input: (LinkRequest) -> DisplayStateMachine.Input
    ) async -> DisplayError? {
        let request = ports.nextRequest()
        return await withCheckedContinuation { continuation in
            held.withLock { held in
                held.waiters[request] = continuation
                held.handlers[request] = handlers
                take(input(request), &held)
            }
        }
    }

    private func take(_ input: DisplayStateMachine.Input, _ held: inout Held) {
        let actions = held.machine.apply(input, at: ports.timekeeper.now)
        guard !actions.isEmpty else { return }
        ports.work.async { for action in actions { self.perform(action) } }
    }

    private func perform(_ action: DisplayStateMachine.Action) {
        switch action {
        case .startDisplay: ports.send(.startDisplay(ports.session))
        case .stopDisplay: ports.send(.stopDisplay(ports.session))
        case .showView(let request, let tree): ports.send(.showView(ports.session, request, tree: tree))
        case .clearDisplay(let request): ports.send(.clearDisplay(ports.session, request))
        case .stopPlayback: ports.send(.stopPlayback(ports.session))
        case .startTimer(let timer, let moment): start(timer, at: moment)
        case .stopTimer(let timer): held.withLock { $0.timers.removeValue(forKey: timer) }?.cancel()
        case .publish(let state):
            held.withLock { $0.published = state }
            states.publish(state)
        case .report(let error): errors.announce(error)
        case .finish(let request, let error):
            held.withLock { $0.waiters.removeValue(forKey: request) }?.resume(returning: error)
        case .dropHandlers(let request): run { self.dropHandlers(request) }
        case .runTap(let request, let id): run { self.handlers(request)?.taps[id]?() }
        case .failVideo(let request, let error): run { self.handlers(request)?.videoError?(error) }
        case .announce(let event): run { self.onPlaybackEvent?(event) }
        case .detach: ports.detach(self)
        case .endStreams:
            states.finish()
            errors.finish()
        }
    }

    /// Handlers are looked up, called and let go on the queue of the app's code, in the order of the actions.
    private func run(_ body: @escaping @Sendable () -> Void) { ports.announcements.async(execute: body) }

    private func handlers(_ request: LinkRequest) -> ViewHandlers? { held.withLock { $0.handlers[request] } }

    private func dropHandlers(_ request: LinkRequest) {
        let dropped = held.withLock { $0.handlers.removeValue(forKey: request) }
        withExtendedLifetime(dropped) {}
    }

    private func start(_ timer: DisplayStateMachine.Timer, at moment: Uptime) {
        let pending = ports.timekeeper.after(moment - ports.timekeeper.now) { self.fire(timer) }
        held.withLock { $0.timers[timer] = pending }
    }

    private func fire(_ timer: DisplayStateMachine.Timer) {
        held.withLock { held in
            held.timers[timer] = nil
            take(.timerFired(timer), &held)
        }
    }
}
