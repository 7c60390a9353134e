import CGlassesPlugin
import Dispatch
import Glibc
import GlassesDomain
import Synchronization

/// One instance of a plugin, carried by a child process that is replaced when it dies: the driver of
/// ``SupervisionStateMachine``.
///
/// Lifecycle runs on a queue of its own, so that what is told is told in order; messages of a living child go straight to
/// ``ChildClient``.
final class SupervisedChild: Sendable {
    /// What the child is and where its news go.
    struct Setup: Sendable {
        var plan: PluginChild.Plan
        var monitor: CallMonitor
        var limits = SupervisionLimits()
        /// Gets what happens to the children, on the supervision's queue.
        var tell: @Sendable (PluginChildEvent.Change, PluginChildRecord) -> Void = { _, _ in }
        /// Gets the plugin's log lines and what happens to its children.
        var log: @Sendable (PluginLogSeverity, String) -> Void
    }

    typealias Acceptance = @Sendable (Result<Void, PluginFailureReport>) -> Void

    /// The last lines that a plugin logged say more about its death than a signal's number.
    private static let keptLines = 3
    /// A call that waits for a new child; the ports above bound themselves far below this.
    private static let heldLimit = 1_024

    private let setup: Setup
    private let queue = DispatchQueue(label: "glasses.plugin.supervision")
    private let client = Mutex<(any ChildClient)?>(nil)
    private let state: Mutex<State>

    private struct Held {
        var call: PluginCall
        var descriptors: [Int32]
        var accept: Acceptance
        /// Keeps the descriptors open.
        var owner: (any Sendable)?
    }

    private struct State {
        var machine: SupervisionStateMachine
        var child: PluginChild?
        var held: [Held] = []
        var openWaiter: OnceContinuation<Result<Void, PluginFailureReport>>?
        var stopWaiters: [OnceContinuation<Void>] = []
        var outage: Deadline?
        var proof: Deadline?
        var lines: [String] = []
        var generation = 0
        var failure: PluginFailureReport?
    }

    init(_ setup: Setup) {
        self.setup = setup
        state = Mutex(State(machine: SupervisionStateMachine(limits: setup.limits)))
    }

    deinit { state.withLock { $0.child }?.end(.stopped) }

    /// The number of the living child's process, for diagnostics.
    var process: pid_t? { state.withLock { $0.child }?.process }

    /// Whether calls reach an instance now.
    var isDelivering: Bool { state.withLock { $0.machine.isDelivering } }

    /// How many children were started after the first one.
    var restarts: Int { state.withLock { max($0.generation - 1, 0) } }

    /// Starts the first child and waits until its instance is open, or will not be.
    func open(_ client: any ChildClient) async -> Result<Void, PluginFailureReport> {
        self.client.withLock { $0 = client }
        return await withCheckedContinuation { continuation in
            state.withLock { $0.openWaiter = OnceContinuation(continuation) }
            input(.openWasRequested)
        }
    }

    /// Makes a call, now or when the next child delivers; `accept` is told once. `revives` starts a plugin that was given up.
    func call(
        _ call: PluginCall, descriptors: [Int32] = [], owner: (any Sendable)? = nil, revives: Bool = false,
        accept: @escaping Acceptance
    ) {
        guard !setup.monitor.isDisabled else { return accept(.failure(.disabled(plugin: setup.monitor.plugin))) }
        let held = Held(call: call, descriptors: descriptors, accept: accept, owner: owner)
        let (child, isHeld): (PluginChild?, Bool) = state.withLock { state in
            // Behind what is held, or a block would overtake the begin of its utterance.
            if state.machine.isDelivering, state.held.isEmpty, let child = state.child { return (child, false) }
            guard state.machine.isStarting || !state.held.isEmpty || revives, state.held.count < Self.heldLimit else {
                return (nil, false)
            }
            state.held.append(held)
            return (nil, true)
        }
        if let child {
            make(held, child)
        } else if isHeld {
            if revives { input(.openWasRequested) }
        } else {
            accept(.failure(whyNone(call)))
        }
    }

    private func whyNone(_ call: PluginCall) -> PluginFailureReport {
        state.withLock { $0.failure }
            ?? PluginFailureReport(.wrongState, plugin: setup.monitor.plugin, function: name(of: call))
    }

    /// A call that brings the new child `generation` to where the dead one was, before it delivers.
    fileprivate func restore(_ held: ChildRestoration.Step, generation: Int) {
        let child = state.withLock { $0.generation == generation ? $0.child : nil }
        let step = Held(call: held.call, descriptors: held.descriptors, accept: held.accept, owner: held.owner)
        if let child {
            make(step, child)
        } else {
            held.accept(.failure(whyNone(held.call)))
        }
    }

    fileprivate func wasRestored(generation: Int) { input(.childDelivered, from: generation) }

    /// Ends the instance and its child, within the limit of its destroy.
    func stop() async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.stopWaiters.append(OnceContinuation(continuation)) }
            input(.stopWasRequested)
        }
    }

    private func name(of call: PluginCall) -> String { call.function ?? setup.plan.opening.kind.destroyFunction }

    private func make(_ held: Held, _ child: PluginChild) {
        let function = name(of: held.call)
        child.call(held.call, descriptors: held.descriptors, limit: setup.limits.call) { [setup] answer in
            withExtendedLifetime(held.owner) {
                held.accept(Self.acceptance(of: answer, function, setup.monitor))
            }
        }
    }

    private static func acceptance(
        of answer: Result<glasses_result, ChildEnd>, _ function: String, _ monitor: CallMonitor
    ) -> Result<Void, PluginFailureReport> {
        switch answer {
        case .success(let number):
            let result = PluginResult(c: number)
            if case .unknown(let number) = result {
                monitor.report(.unknownValue(number), in: function, from: .maximal)
            }
            return result == .ok
                ? .success(())
                : .failure(PluginFailureReport(result, plugin: monitor.plugin, function: function))
        case .failure(let end): return .failure(PluginFailureReport(end, plugin: monitor.plugin))
        }
    }

    /// What a child brings about counts only while it is the newest.
    private func input(_ input: SupervisionStateMachine.Input, from generation: Int? = nil) {
        queue.async { [weak self] in
            guard let self, state.withLock({ generation ?? $0.generation == $0.generation }) else { return }
            apply(input)
        }
    }

    /// On the queue.
    private func apply(_ input: SupervisionStateMachine.Input) {
        let actions = state.withLock { $0.machine.apply(input, at: SystemClock.now()) }
        for action in actions { perform(action) }
        settleHeld()
    }

    private func perform(_ action: SupervisionStateMachine.Action) {
        switch action {
        case .startChild: startChild()
        case .killChild: state.withLock { $0.child }?.end(.stopped)
        case .destroyInstance: destroyInstance()
        case .setOutageTimer(let delay): setTimer(\.outage, delay, .outageTimerFired)
        case .setProofTimer(let delay): setTimer(\.proof, delay, .proofTimerFired)
        case .cancelProofTimer: cancel(\.proof)
        case .cancelTimers:
            cancel(\.proof)
            cancel(\.outage)
        case .tellOpened:
            if let process { tell(.started(process: process)) }
            endOpen(.success(()))
        case .tellOpenFailed(let failure): endOpen(.failure(noteFailure(failure)))
        case .tellCrash(let end): tellCrash(end)
        case .tellOutage: currentClient?.outageIsLong()
        case .tellRestored(let wasTold, let downtime):
            if let process { tell(.replaced(process: process, downtime: downtime)) }
            currentClient?.childWasReplaced(wasTold: wasTold)
        case .tellGivenUp(let failure):
            let report = noteFailure(failure)
            setup.log(.error, report.message)
            tell(.givenUp(code: report.code, message: report.message))
            currentClient?.childWasGivenUp(report)
        case .tellStopped: endStop()
        }
    }

    private var currentClient: (any ChildClient)? { client.withLock { $0 } }

    private func setTimer(
        _ timer: WritableKeyPath<State, Deadline?>, _ delay: Duration, _ fired: SupervisionStateMachine.Input
    ) {
        cancel(timer)
        let deadline = Deadline.after(delay) { [weak self] in self?.input(fired) }
        state.withLock { $0[keyPath: timer] = deadline }
    }

    private func cancel(_ timer: WritableKeyPath<State, Deadline?>) {
        state.withLock { state in
            state[keyPath: timer]?.cancel()
            state[keyPath: timer] = nil
        }
    }

    private func startChild() {
        let generation = state.withLock { state in
            state.generation += 1
            state.lines = []
            state.failure = nil
            return state.generation
        }
        let handlers = PluginChild.Handlers(
            received: { [weak self] message throws(WireError) in try self?.received(message, generation) },
            ended: { [weak self] end in self?.ended(end) })
        guard let child = PluginChild(setup.plan, handlers: handlers) else {
            return input(.childEnded(.notStarted(reason: "no descriptors are left")))
        }
        state.withLock { $0.child = child }
        child.start()
    }

    private func destroyInstance() {
        guard let child = state.withLock({ $0.child }) else { return }
        // Its child leaves after the answer; a destroy that hangs ends it too.
        child.call(.destroy, limit: setup.limits.call) { _ in }
    }

    private func received(_ message: ChildMessage, _ generation: Int) throws(WireError) {
        switch message {
        case .opened(let description, let extensions):
            let opened = ChildInstance(description: description, extensions: extensions)
            switch currentClient?.childOpened(opened) {
            case .success?: currentClient?.restore(ChildRestoration(child: self, generation: generation))
            case .failure(let report)?: input(.childRefused(report), from: generation)
            case nil: break
            }
        case .notOpened(let stage, let result, let detail):
            input(.childRefused(refusal(stage, result, detail)), from: generation)
        case .log(let severity, let text): logged(PluginLogSeverity(c: severity), text.cutText)
        case .dropped(let count): setup.log(.warning, "\(count) callbacks were dropped: they came too fast.")
        case .answered, .alive: throw .outOfOrder("an answer")
        case .state, .completed, .event, .partial, .finished, .audio, .spoken, .activity, .failed, .photo,
            .streamChanged, .selected, .back, .registration, .permission, .urlAnswered, .power, .input:
            try currentClient?.received(message)
        }
    }

    private func logged(_ severity: PluginLogSeverity, _ text: String) {
        let line = String(text.prefix(PluginLogLine.limit))
        state.withLock { state in
            state.lines.append(line)
            if state.lines.count > Self.keptLines { state.lines.removeFirst() }
        }
        setup.log(severity, line)
    }

    private func ended(_ end: ChildEnd) {
        if case .hung(let function, let limit) = end { setup.monitor.report(.hung(limit: limit), in: function) }
        state.withLock { $0.child = nil }
        queue.async { [weak self] in
            guard let self else { return }
            // In one go: whoever hears of the death may ask for a stop, which must not make the death look like its own doing.
            currentClient?.childEnded(PluginFailureReport(end, plugin: setup.monitor.plugin))
            apply(.childEnded(end))
        }
    }

    private func tell(_ change: PluginChildEvent.Change) { setup.tell(change, state.withLock { $0.machine.record }) }

    private func tellCrash(_ end: ChildEnd) {
        tell(.died(code: end.code, reason: end.description))
        setup.log(
            .warning, "The plugin's process ended (\(end.description)) and is started again, number \(restarts + 1).")
    }

    private func endOpen(_ result: Result<Void, PluginFailureReport>) {
        let waiter = state.withLock { state in
            defer { state.openWaiter = nil }
            return state.openWaiter
        }
        waiter?.resume(result)
    }

    private func endStop() {
        let waiters = state.withLock { state in
            defer { state.stopWaiters = [] }
            return state.stopWaiters
        }
        for waiter in waiters { waiter.resume(()) }
    }

    /// Makes what was held when a child delivers, and refuses it when none will. One at a time stays in the list until it was
    /// made, so that no later call overtakes it.
    private func settleHeld() {
        while true {
            let (next, child): (Held?, PluginChild?) = state.withLock { state in
                guard !state.machine.isStarting else { return (nil, nil) }
                return (state.held.first, state.machine.isDelivering ? state.child : nil)
            }
            guard let next else { return }
            if let child {
                make(next, child)
            } else {
                next.accept(.failure(whyNone(next.call)))
            }
            state.withLock { _ = $0.held.removeFirst() }
        }
    }

    private func noteFailure(_ failure: SupervisionStateMachine.Failure) -> PluginFailureReport {
        let report = report(failure)
        state.withLock { $0.failure = report }
        return report
    }

    private func report(_ failure: SupervisionStateMachine.Failure) -> PluginFailureReport {
        switch failure {
        case .refused(let report): return report
        case .ended(let end):
            let lines = state.withLock { $0.lines }
            return PluginFailureReport(end, plugin: setup.monitor.plugin, lastLines: lines)
        }
    }

    private func refusal(_ stage: OpeningStage, _ result: Int32, _ detail: CText?) -> PluginFailureReport {
        if stage == .brokenStruct { setup.monitor.report(.brokenStruct, in: setup.plan.opening.kind.createFunction) }
        if stage == .notDescribed {
            setup.monitor.report(.wrongFacts(member: "describe"), in: setup.plan.opening.kind.describeFunction)
        }
        return PluginFailureReport(
            stage, result: result, detail: detail?.cutText ?? "", plugin: setup.monitor.plugin,
            kind: setup.plan.opening.kind)
    }
}

/// Brings one new child to where the dead one was.
struct ChildRestoration: Sendable {
    /// One call on the way there.
    struct Step: Sendable {
        var call: PluginCall
        var descriptors: [Int32] = []
        /// Keeps the descriptors open.
        var owner: (any Sendable)?
        /// Told once whether the plugin accepted it.
        var accept: SupervisedChild.Acceptance
    }

    fileprivate let child: SupervisedChild
    fileprivate let generation: Int

    /// Makes a call; refused when the child has died meanwhile.
    func call(_ step: Step) { child.restore(step, generation: generation) }

    /// The child is where its predecessor was, or as near as it comes.
    func finish() { child.wasRestored(generation: generation) }
}
