import GlassesDomain
import GlassesServer
import Synchronization

/// The sessions of a gateway: who may start one, which ones run, and their end.
final class SessionRegistry: Sendable {
    private struct State {
        var quota: Quota
        var running: [Int: any RunningSession] = [:]
        var budgets: [Owner: InboundBudget] = [:]
        var lastNumber = 0
        /// New sessions are refused.
        var isDraining = false
        /// Every session is closed, also one that opens only now.
        var isClosing = false
        var metrics = GatewayMetrics()
        /// Who waits for the last session to end.
        var whenEmpty: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let clock: ClockPort
    private let onEvent: (@Sendable (GatewayEvent) -> Void)?

    init(configuration: GatewayConfiguration, clock: ClockPort) {
        let maximum = configuration.maximumSessions
        let quota = Quota(maximum: maximum, maximumPerOwner: configuration.maximumSessionsPerToken ?? maximum)
        state = Mutex(State(quota: quota))
        self.clock = clock
        onEvent = configuration.onEvent
    }

    /// What was counted so far.
    var metrics: GatewayMetrics { state.withLock(\.metrics) }

    /// Sessions and chats that have a place now.
    var reserved: Int { state.withLock(\.quota.sessions) }

    /// Whether new sessions are refused.
    var isDraining: Bool { state.withLock(\.isDraining) }

    /// Counts a request of `owner` that starts no session.
    func spend(_ owner: Owner) throws(Quota.Refusal) {
        let now = clock.now()
        try state.withLock { (state) throws(Quota.Refusal) in
            try Self.counting(&state) { (state) throws(Quota.Refusal) in try state.quota.spend(owner, at: now) }
        }
    }

    /// Makes room for a session of `owner`; every reserved one is ended by ``end(_:closeCode:)`` once.
    func reserve(
        _ owner: Owner, model: String, upstream: String?, isOpus: Bool = false
    ) throws(Quota.Refusal) -> SessionRecord {
        let now = clock.now()
        let number = try state.withLock { (state) throws(Quota.Refusal) in
            try Self.counting(&state) { (state) throws(Quota.Refusal) in try state.quota.begin(owner, at: now) }
            state.lastNumber += 1
            return state.lastNumber
        }
        var token: Int?
        if case .token(let index) = owner { token = index + 1 }
        let session = GatewaySession(number: number, model: model, upstream: upstream, token: token, isOpus: isOpus)
        return SessionRecord(session: session, owner: owner, startedAt: now)
    }

    /// What the unfinished messages of all connections of `owner` count against.
    func budget(of owner: Owner) -> InboundBudget {
        state.withLock { state in
            let budget = state.budgets[owner] ?? InboundBudget(limit: GatewayLimits.inboundPerToken)
            state.budgets[owner] = budget
            return budget
        }
    }

    /// A reserved session is open; it may go on while the gateway drains, and is closed at once after ``closeAll()``.
    func begin(_ record: SessionRecord, _ session: any RunningSession) {
        let isClosing = state.withLock { state in
            state.running[record.session.number] = session
            return state.isClosing
        }
        tell(.sessionStarted(record.session))
        if isClosing { session.close(code: 1_001, reason: Self.farewell) }
    }

    /// A reserved session ended, or did not open; the first call counts.
    func end(_ record: SessionRecord, closeCode: UInt16?) {
        guard let summary = record.end(closeCode: closeCode, at: clock.now()) else { return }
        let (hasRun, waiters) = state.withLock { state in
            state.quota.end(record.owner)
            let hasRun = state.running.removeValue(forKey: record.session.number) != nil
            return (hasRun, state.quota.sessions == 0 ? takeWaiters(&state) : [])
        }
        if hasRun { tell(.sessionEnded(record.session, summary)) }
        for waiter in waiters { waiter.resume() }
    }

    /// The upstream of `record` did not accept it, or did not answer it to the end.
    func refused(_ record: SessionRecord, _ closure: ConnectionClosure) {
        // One that was cancelled was left by its client.
        guard closure.code != UpstreamFailure.abandoned.code, let host = record.session.upstream else { return }
        tell(.upstreamRefused(model: record.session.model, host: host, closure))
    }

    /// Refuses new sessions from now on.
    func startDraining() { state.withLock { $0.isDraining = true } }

    /// Waits until no session runs or is about to open, at most for `bound`: a client whose upgrade is on its way has a session, and
    /// is told of the end like the others.
    func waitUntilEmpty(atMost bound: Duration) async {
        let deadline = clock.now().advanced(by: bound)
        let timer = Task { [self, clock] in
            do { try await clock.sleepUntil(deadline) } catch { return }  // cancelled: nobody waits any more
            for waiter in state.withLock({ takeWaiters(&$0) }) { waiter.resume() }
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.quota.sessions == 0 || clock.now() >= deadline { return true }
                state.whenEmpty.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
        timer.cancel()
    }

    /// Closes every session, also those that are about to open.
    func closeAll() {
        let running = state.withLock { state in
            state.isClosing = true
            return Array(state.running.values)
        }
        for session in running { session.close(code: 1_001, reason: Self.farewell) }
    }

    private static let farewell = "The gateway is shutting down."

    private func tell(_ event: GatewayEvent) {
        state.withLock { $0.metrics.count(event) }
        onEvent?(event)
    }

    /// Counts a refusal of `body` and passes it on.
    private static func counting(
        _ state: inout State, _ body: (inout State) throws(Quota.Refusal) -> Void
    ) throws(Quota.Refusal) {
        do {
            try body(&state)
        } catch {
            state.metrics.count(error)
            throw error
        }
    }

    private func takeWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        defer { state.whenEmpty = [] }
        return state.whenEmpty
    }
}
