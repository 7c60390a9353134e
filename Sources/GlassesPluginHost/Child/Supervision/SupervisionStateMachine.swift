import GlassesDomain

/// When a plugin's child is started, started again, given up and ended: the restart policy, without any process.
///
/// A child *delivers* once its instance does again what the one before it did: it is open, connected, and its streams run.
struct SupervisionStateMachine: Sendable, Equatable {
    /// What happened.
    enum Input: Sendable, Hashable {
        /// Somebody wants the plugin.
        case openWasRequested
        /// The child's instance is open, and does what the one before it did.
        case childDelivered
        /// The plugin refused to make its instance.
        case childRefused(PluginFailureReport)
        /// The child's process has ended and is reaped.
        case childEnded(ChildEnd)
        case outageTimerFired
        case proofTimerFired
        /// Nobody wants the plugin any more.
        case stopWasRequested
    }

    /// What has to be done.
    enum Action: Sendable, Hashable {
        case startChild
        /// End the child's process at once.
        case killChild
        /// Ask the instance to end by itself, within the limit of its destroy.
        case destroyInstance
        case setOutageTimer(Duration)
        case setProofTimer(Duration)
        case cancelTimers
        case cancelProofTimer
        /// The first child delivers.
        case tellOpened
        /// There will be no instance.
        case tellOpenFailed(Failure)
        /// The child died and another one is being started; every open request ends now.
        case tellCrash(ChildEnd)
        /// The outage lasts longer than anybody would overlook.
        case tellOutage
        /// A new child delivers, so long after the last one had died; `wasTold` says whether the outage was.
        case tellRestored(wasTold: Bool, downtime: Duration)
        /// The plugin is given up.
        case tellGivenUp(Failure)
        /// The child is gone, as was asked.
        case tellStopped
    }

    /// Why there is no instance.
    enum Failure: Sendable, Hashable {
        case refused(PluginFailureReport)
        case ended(ChildEnd)
    }

    private enum State: Sendable, Equatable {
        case idle
        case starting(since: MonotonicTime)
        case delivering(started: MonotonicTime)
        /// A child that has to go before its failure is told: it refused, or it hung in its first start.
        case failing(Failure)
        case givenUp
        case stopping
        case stopped
    }

    /// So many counted deaths are the end.
    static let deathLimit = 3

    private let limits: SupervisionLimits
    private var state = State.idle
    /// Those that count towards ``deathLimit``.
    private var deaths = 0
    private var hasOpened = false
    /// Since when no child delivers, after one did.
    private var outageBegan: MonotonicTime?
    private var isOutageTold = false
    /// Every death and every replacement so far.
    private(set) var record = PluginChildRecord()

    init(limits: SupervisionLimits = SupervisionLimits()) { self.limits = limits }

    /// Whether calls can be made now.
    var isDelivering: Bool { if case .delivering = state { true } else { false } }

    /// Whether a child is on its way, so that calls may wait for it.
    var isStarting: Bool { if case .starting = state { true } else { false } }

    mutating func apply(_ input: Input, at now: MonotonicTime) -> [Action] {
        switch input {
        case .openWasRequested: openWasRequested(now)
        case .childDelivered: childDelivered(now)
        case .childRefused(let report): childRefused(report, now)
        case .childEnded(let end): childEnded(end, now)
        case .outageTimerFired: outageTimerFired()
        case .proofTimerFired: proofTimerFired()
        case .stopWasRequested: stopWasRequested()
        }
    }

    private mutating func openWasRequested(_ now: MonotonicTime) -> [Action] {
        switch state {
        case .idle, .givenUp:
            deaths = 0
            state = .starting(since: now)
            return [.startChild]
        case .starting, .delivering, .failing, .stopping, .stopped: return []
        }
    }

    private mutating func childDelivered(_ now: MonotonicTime) -> [Action] {
        guard case .starting(let since) = state else { return [] }
        state = .delivering(started: since)
        guard hasOpened else {
            hasOpened = true
            return [.setProofTimer(limits.proof), .tellOpened]
        }
        // One that was given up was not being replaced, so that time is no downtime.
        let downtime = outageBegan?.duration(to: now) ?? .zero
        record.replacements += 1
        record.downtime += downtime
        defer { (outageBegan, isOutageTold) = (nil, false) }
        return [
            .cancelTimers, .setProofTimer(limits.proof), .tellRestored(wasTold: isOutageTold, downtime: downtime),
        ]
    }

    private mutating func childRefused(_ report: PluginFailureReport, _ now: MonotonicTime) -> [Action] {
        guard case .starting = state else { return [] }
        // A refusal is an answer: another child would give the same one.
        state = .failing(.refused(report))
        return [.killChild]
    }

    private mutating func outageTimerFired() -> [Action] {
        guard outageBegan != nil, !isOutageTold, case .starting = state else { return [] }
        isOutageTold = true
        return [.tellOutage]
    }

    private mutating func proofTimerFired() -> [Action] {
        guard case .delivering = state else { return [] }
        deaths = 0
        return []
    }

    private mutating func childEnded(_ end: ChildEnd, _ now: MonotonicTime) -> [Action] {
        switch state {
        case .starting(let since): return childDied(end, started: since, hadDelivered: false, now)
        case .delivering(let started): return childDied(end, started: started, hadDelivered: true, now)
        case .failing(let failure): return giveUp(failure)
        case .stopping:
            state = .stopped
            return [.cancelTimers, .tellStopped]
        case .idle, .givenUp, .stopped: return []
        }
    }

    /// A child that never delivered counts whenever it dies: one that hangs in its start would be started for ever.
    private mutating func childDied(
        _ end: ChildEnd, started: MonotonicTime, hadDelivered: Bool, _ now: MonotonicTime
    ) -> [Action] {
        record.deaths += 1
        if !hadDelivered || started.duration(to: now) <= limits.earlyDeath { deaths += 1 }
        let isFinal = deaths >= Self.deathLimit || (!hasOpened && !end.isWorthAnotherTry)
        guard !isFinal else { return giveUp(.ended(end)) }
        state = .starting(since: now)
        // A child that died while it was being started again makes the same outage longer.
        guard hasOpened, hadDelivered else { return [.tellCrash(end), .startChild] }
        outageBegan = now
        return [.cancelProofTimer, .tellCrash(end), .setOutageTimer(limits.outage), .startChild]
    }

    private mutating func giveUp(_ failure: Failure) -> [Action] {
        defer {
            (outageBegan, isOutageTold) = (nil, false)
            state = .givenUp
        }
        return [.cancelTimers, hasOpened ? .tellGivenUp(failure) : .tellOpenFailed(failure)]
    }

    private mutating func stopWasRequested() -> [Action] {
        switch state {
        case .idle, .givenUp:
            state = .stopped
            return [.cancelTimers, .tellStopped]
        case .starting, .failing:
            state = .stopping
            return [.cancelTimers, .killChild]
        case .delivering:
            state = .stopping
            return [.cancelTimers, .destroyInstance]
        case .stopping, .stopped: return []
        }
    }
}

extension ChildEnd {
    /// Whether a child that ended so in its very first start is tried again: a crash may be bad luck, a hang costs everybody its
    /// whole limit.
    fileprivate var isWorthAnotherTry: Bool {
        switch self {
        case .signal, .exited: true
        case .hung, .misspoke, .notStarted, .stopped: false
        }
    }
}
