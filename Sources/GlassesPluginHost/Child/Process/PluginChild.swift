import CGlassesPlugin
import CShims
import Glibc
import GlassesDomain
import Synchronization

/// One child process with one plugin, from its start to its end, on one thread of its own.
///
/// The thread starts the process, since the child dies with the thread that started it; it reads the messages, watches the calls
/// and the heartbeat, and reaps the process. ``Handlers/ended`` is called exactly once, last.
final class PluginChild: Sendable {
    /// Called on the child's thread.
    struct Handlers: Sendable {
        var received: @Sendable (ChildMessage) throws(WireError) -> Void
        var ended: @Sendable (ChildEnd) -> Void
    }

    /// What is started, and how it is watched.
    struct Plan: Sendable {
        var program: String
        var environment: [String: String]
        var opening: PluginOpening
        /// From the start of the process to its instance.
        var openLimit: Duration
        /// A child whose main thread does not answer for this long is stopped, swapped out or out of its mind.
        var heartbeatLimit: Duration = .seconds(5)
    }

    typealias Answer = @Sendable (Result<glasses_result, ChildEnd>) -> Void

    /// While there is something to do, and for a while afterwards; a child at rest is asked as seldom as a hang of it may go unnoticed.
    private static let heartbeatPeriod: Duration = .seconds(1)
    private static let restsAfter: Duration = .seconds(5)
    /// A child that does not read while this much waits for it has stopped.
    private static let waitingLimit = 8 << 20
    /// A child that is ended has this long to leave by SIGTERM, for a driver that has to let go of its device, before SIGKILL.
    private static let terminationLimit: Int32 = 100
    /// Between two looks at the clock, messages of a flood are taken in portions.
    private static let portion = 256

    private let plan: Plan
    private let handlers: Handlers
    private let socket: MessageSocket
    private let childEnd: Int32
    private let state = Mutex(State())

    private struct State {
        var ledger = CallLedger()
        var answers: [UInt64: Answer] = [:]
        var opening: UInt64?
        var reason: ChildEnd?
        var isOver = false
        var pings: UInt64 = 0
        /// When something was last asked of the child, or told by it.
        var lastUse = SystemClock.now()
        var process: pid_t?
    }

    /// A child that is not started yet; nil when descriptors are used up.
    init?(_ plan: Plan, handlers: Handlers) {
        var (mine, others): (Int32, Int32) = (-1, -1)
        guard cshims_socket_pair(&mine, &others) == 0 else { return nil }
        guard let socket = MessageSocket(mine) else {
            close(mine)
            close(others)
            return nil
        }
        self.plan = plan
        self.handlers = handlers
        self.socket = socket
        childEnd = others
    }

    /// Starts the process on a new thread.
    func start() { HostThread.start("plugin child") { self.live() } }

    /// Makes a call; `answer` is called once, on the child's thread, or on this one when the child has ended.
    func call(_ call: PluginCall, descriptors: [Int32] = [], limit: Duration, answer: @escaping Answer) {
        let function = call.function ?? plan.opening.kind.destroyFunction
        let ended: ChildEnd? = state.withLock { state in
            if let reason = state.reason { return reason }
            state.lastUse = SystemClock.now()
            let serial = state.ledger.begin(function, call.lane, limit: limit, at: state.lastUse)
            state.answers[serial] = answer
            // Inside the lock, so that messages go in the order of their serials.
            let sent = socket.send(
                HostMessage.call(serial: serial, call).bytes, descriptors: descriptors, limit: Self.waitingLimit)
            if sent == .full { state.reason = .hung(function: function, limit: limit) }
            return nil
        }
        if let ended { return answer(.failure(ended)) }
        cshims_eventfd_signal(socket.waitingDescriptor)
    }

    /// The number of the process while it runs, for diagnostics.
    var process: pid_t? { state.withLock { $0.process } }

    /// Ends the process by SIGTERM, and 100 ms later by SIGKILL, for `reason`; the first reason counts.
    func end(_ reason: ChildEnd) {
        state.withLock { state in if state.reason == nil { state.reason = reason } }
        cshims_eventfd_signal(socket.waitingDescriptor)
    }

    private func live() {
        let spawned = ChildSpawner.spawn(
            plan.program, arguments: [String(getpid())], environment: plan.environment, descriptor: childEnd)
        close(childEnd)
        switch spawned {
        case .failure(let error): finish(.notStarted(reason: error.description))
        case .success(let process):
            state.withLock { $0.process = process }
            let ended = cshims_pidfd_open(process)
            defer { if ended >= 0 { close(ended) } }
            open()
            let reason = watch(ended)
            finish(reap(process, ended, reason))
        }
    }

    private func open() {
        state.withLock { state in
            state.opening = state.ledger.begin(
                plan.opening.kind.activateFunction, .host, limit: plan.openLimit, at: SystemClock.now())
        }
        _ = socket.send(HostMessage.open(plan.opening).bytes, limit: Self.waitingLimit)
    }

    /// Until the process, whose pidfd is `ended`, has ended or has to; answers the reason in that case.
    private func watch(_ ended: Int32) -> ChildEnd? {
        var heartbeat = Heartbeat(at: SystemClock.now())
        var (waits, isOpen) = (false, true)
        while true {
            // At its end the connection would be ready for ever, while the process that ends needs the processor.
            var sources = [
                pollfd(
                    fd: isOpen ? socket.descriptor : -1, events: Int16(POLLIN | (waits ? POLLOUT : 0)), revents: 0),
                pollfd(fd: socket.waitingDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
            ]
            poll(&sources, 3, pollLimit(heartbeat))
            _ = cshims_eventfd_drain(socket.waitingDescriptor)
            let hasEnded = sources[2].revents != 0
            do {
                if isOpen { isOpen = try receiveAll(&heartbeat, until: hasEnded ? .max : Self.portion) }
                if hasEnded || (!isOpen && ended < 0) { return nil }
            } catch {
                return .misspoke(error)
            }
            waits = socket.sendWaiting()
            if let reason = look(&heartbeat) { return reason }
        }
    }

    private func pollLimit(_ heartbeat: Heartbeat) -> Int32 {
        let now = SystemClock.now()
        let look = heartbeat.nextLook(limit: plan.heartbeatLimit)
        let next = min(look, state.withLock { $0.ledger.nextDeadline } ?? look)
        return Int32(clamping: max(0, now.duration(to: next).wholeMilliseconds) + 1)
    }

    /// The reason to end the child now, if there is one.
    private func look(_ heartbeat: inout Heartbeat) -> ChildEnd? {
        let now = SystemClock.now()
        let (reason, hang) = state.withLock { ($0.reason, $0.ledger.hang(at: now)) }
        if let reason { return reason }
        if let hang { return .hung(function: hang.function, limit: hang.limit) }
        if heartbeat.isDue(now) {
            let (number, isAtRest) = state.withLock { state in
                state.pings += 1
                return (state.pings, state.lastUse.duration(to: now) > Self.restsAfter)
            }
            heartbeat.planNext(
                after: isAtRest ? max(Self.heartbeatPeriod, plan.heartbeatLimit * 2) : Self.heartbeatPeriod, now)
            _ = socket.send(HostMessage.areYouAlive(number).bytes, limit: Self.waitingLimit)
        }
        let isLost = heartbeat.isLost(now, limit: plan.heartbeatLimit)
        return isLost ? .hung(function: "the child's main loop", limit: plan.heartbeatLimit) : nil
    }

    /// Takes up to `limit` messages; false at the end of the connection.
    private func receiveAll(_ heartbeat: inout Heartbeat, until limit: Int) throws(WireError) -> Bool {
        for _ in 0..<limit {
            switch socket.receive() {
            case .nothing: return true
            case .closed: return false
            case .wrong(let error): throw error
            case .message(let bytes, let descriptors):
                for descriptor in descriptors { close(descriptor) }
                guard descriptors.isEmpty else { throw .wrongDescriptors }
                heartbeat.heard(SystemClock.now())
                let message = try ChildMessage(bytes)
                if case .alive = message { continue }
                state.withLock { $0.lastUse = SystemClock.now() }
                try receive(message)
            }
        }
        return true
    }

    private func receive(_ message: ChildMessage) throws(WireError) {
        switch message {
        // It has proved what it proves.
        case .alive: return
        case .answered(let serial, let result):
            let (isExpected, answer) = state.withLock { state in
                (state.ledger.answer(serial, at: SystemClock.now()), state.answers.removeValue(forKey: serial))
            }
            guard isExpected, let answer else { throw .outOfOrder("an answer") }
            answer(.success(result))
        case .opened, .notOpened:
            let isExpected = state.withLock { state in
                defer { state.opening = nil }
                return state.opening.map { state.ledger.answer($0, at: SystemClock.now()) } ?? false
            }
            guard isExpected else { throw .outOfOrder("the opening") }
            try handlers.received(message)
        case .log, .dropped, .state, .completed, .event, .partial, .finished, .audio, .spoken, .activity, .failed,
            .photo, .streamChanged, .selected, .back, .registration, .permission, .urlAnswered, .power, .input:
            try handlers.received(message)
        }
    }

    /// Ends what is left of the process and its group, and answers why it ended.
    private func reap(_ process: pid_t, _ ended: Int32, _ reason: ChildEnd?) -> ChildEnd {
        if reason != nil, ended >= 0 {
            kill(process, SIGTERM)
            var source = pollfd(fd: ended, events: Int16(POLLIN), revents: 0)
            poll(&source, 1, Self.terminationLimit)
        }
        socket.close()
        state.withLock { $0.process = nil }
        // Before it is reaped, its number belongs to nobody else.
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        var status: Int32 = 0
        var reaped = waitpid(process, &status, 0)
        while reaped < 0, errno == EINTR { reaped = waitpid(process, &status, 0) }
        return reason ?? ChildEnd(status: reaped == process ? status : 0)
    }

    private func finish(_ end: ChildEnd) {
        let answers = state.withLock { state in
            state.reason = end
            let serials = state.ledger.closeAll()
            defer { state.answers = [:] }
            return serials.compactMap { state.answers[$0] }
        }
        for answer in answers { answer(.failure(end)) }
        handlers.ended(end)
    }

    /// When the child was heard last, and asked last.
    private struct Heartbeat {
        private var heard: MonotonicTime
        private var nextPing: MonotonicTime
        private var asked: MonotonicTime?

        init(at now: MonotonicTime) {
            heard = now
            nextPing = now.advanced(by: heartbeatPeriod)
        }

        mutating func heard(_ now: MonotonicTime) {
            heard = now
            asked = nil
        }

        mutating func isDue(_ now: MonotonicTime) -> Bool {
            guard now >= nextPing else { return false }
            if asked == nil { asked = now }
            return true
        }

        mutating func planNext(after period: Duration, _ now: MonotonicTime) {
            nextPing = now.advanced(by: period)
        }

        /// When there is a ping to send, or one is not answered in time.
        func nextLook(limit: Duration) -> MonotonicTime {
            min(nextPing, asked?.advanced(by: limit) ?? nextPing)
        }

        func isLost(_ now: MonotonicTime, limit: Duration) -> Bool {
            asked.map { $0.duration(to: now) > limit } ?? false
        }
    }
}
