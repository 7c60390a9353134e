import GlassesDomain
import GlassesWebSocket
import Glibc
import Synchronization

/// One WebSocket of a server. Its calls may come from any thread; the loop's thread reads and writes.
final class ServerWebSocket: WebSocketChannel, DeadlineTarget {
    private struct State {
        var endpoint: WebSocketEndpoint
        var masks = NoMasks()
        /// Whether the loop knows already that there is something to do.
        var isPosted = false
        /// What the common budget holds for the message that is not complete.
        var charged = 0
        /// Whether it is closed for want of common room.
        var isOverBudget = false
        /// What the endpoint handed out and the kernel did not take.
        var rest: [UInt8] = []
        /// Whether the loop has bytes under way, which nothing may overtake.
        var isLoopWriting = false

        init(endpoint: WebSocketEndpoint) { self.endpoint = endpoint }

        /// Writes what waits, as far as the kernel takes it, so that the loop need not be woken. False when something is left to the
        /// loop: bytes, news for the receiver, or an error, which its next attempt meets too.
        mutating func writeAtOnce(to descriptor: Int32) -> Bool {
            guard !isLoopWriting, rest.isEmpty else { return false }
            // A finished endpoint hands out nothing, so that a socket that was given back is never written to.
            var output: [UInt8] = []
            endpoint.fillOutput(&output, using: &masks)
            if !output.isEmpty {
                let count = Glibc.send(descriptor, output, output.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                let taken = max(0, count)
                if taken < output.count { rest = Array(output[taken...]) }
                endpoint.wrote(taken, at: .now)
            }
            return !endpoint.wantsWrite && !endpoint.hasNotices
        }
    }

    /// Stands for the generator of a client's masks: a server's frames have none. It has a stored value because the
    /// thread sanitizer of Swift 6.3 crashes on exclusive access to a value without one.
    private struct NoMasks: RandomNumberGenerator {
        private let mask: UInt64 = 0
        mutating func next() -> UInt64 { mask }
    }

    /// What a turn on the loop left behind.
    struct Wishes: Equatable {
        var wantsRead: Bool
        var wantsWrite: Bool
        var isFinished: Bool
    }

    let socket: UpgradedSocket
    private let budget: InboundBudget?
    private let loop: ServerLoop
    private let state: Mutex<State>
    private let receiver = Mutex<(any WebSocketReceiver)?>(nil)

    init(socket: UpgradedSocket, limits: WebSocketLimits, budget: InboundBudget?, loop: ServerLoop, now: MonotonicTime)
    {
        self.socket = socket
        self.budget = budget
        self.loop = loop
        state = Mutex(State(endpoint: WebSocketEndpoint(role: .server, limits: limits, at: now)))
    }

    // MARK: The app's side

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        change(writesAtOnce: true) { $0.send(message, lane: lane, at: .now) }
    }

    func close(code: UInt16, reason: String) { change { $0.close(code: code, reason: reason, at: .now) } }

    func pauseReading() { change { $0.pauseReading(at: .now) } }

    func resumeReading() { change { $0.resumeReading(at: .now) } }

    var waitingBytes: Int { state.withLock { $0.endpoint.waitingBytes } }

    /// Ends without a closing handshake.
    func drop(_ closure: ConnectionClosure) { change { $0.linkFailed(closure, at: .now) } }

    private func change<Result>(
        writesAtOnce: Bool = false, _ body: (inout WebSocketEndpoint) -> Result
    ) -> Result {
        let (result, mustPost) = state.withLock { state in
            let result = body(&state.endpoint)
            // A loop that is on its way does it all.
            if state.isPosted || (writesAtOnce && state.writeAtOnce(to: socket.descriptor)) { return (result, false) }
            state.isPosted = true
            return (result, true)
        }
        if mustPost { loop.post(.serve(self)) }
        return result
    }

    // MARK: Time

    var nextDeadline: MonotonicTime? { state.withLock { $0.endpoint.isFinished ? nil : $0.endpoint.deadline } }

    func deadlineReached(at now: MonotonicTime) { change { $0.timerFired(at: now) } }

    // MARK: The loop's side

    /// Meets the one who hears of the connection, and takes the bytes that came along with the request.
    func open(_ receiver: any WebSocketReceiver, early: [UInt8]) {
        self.receiver.withLock { $0 = receiver }
        early.withUnsafeBytes { take($0) }
    }

    /// Whether bytes may be read now.
    var wantsRead: Bool { state.withLock { $0.endpoint.wantsRead } }

    /// Reads once; false when nothing more is there to be read in this turn.
    func readOnce(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let count = recv(socket.descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return count == buffer.count
        }
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return false }
        linkEnded()
        return false
    }

    /// The peer is gone.
    func linkEnded() {
        state.withLock { $0.endpoint.peerEnded(at: .now) }
        tellReceiver()
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard !state.isOverBudget else { return }
            guard charge(bytes.count, &state) else { return refuse(&state) }
            state.endpoint.received(bytes, at: .now)
        }
        tellReceiver()
    }

    /// Counts bytes until their message is complete.
    private func charge(_ count: Int, _ state: inout State) -> Bool {
        guard let budget else { return true }
        guard budget.reserve(count) else { return false }
        state.charged += count
        return true
    }

    /// Closes for want of common room. What the peer still sends is thrown away, so that the others have the room at
    /// once.
    private func refuse(_ state: inout State) {
        state.isOverBudget = true
        refund(&state)
        state.endpoint.close(code: WebSocketCloseCode.tooBig, reason: Self.overBudget.code, at: .now)
    }

    private func refund(_ state: inout State) {
        budget?.release(state.charged)
        state.charged = 0
    }

    private static let overBudget = ConnectionClosure(
        code: "inbound_budget",
        message: "The client's connections had too many unfinished messages at once. Send less at the same time.",
        closeCode: WebSocketCloseCode.tooBig)

    /// Tells the receiver what it has not been told. The lock is not held meanwhile: the receiver may call back.
    private func tellReceiver() {
        let notices = state.withLock { state in
            let notices = state.endpoint.takeNotices()
            let isMessageComplete = notices.contains { $0 != .drained }
            if isMessageComplete { refund(&state) }
            return notices
        }
        guard !notices.isEmpty, let listener = receiver.withLock({ $0 }) else { return }
        for notice in notices {
            switch notice {
            case .message(let message): listener.received(message)
            case .drained: listener.drained()
            case .closed(let end):
                let closure = state.withLock { $0.isOverBudget } ? Self.overBudget : end
                receiver.withLock { $0 = nil }
                loop.counters.count(closure)
                listener.closed(closure)
            }
        }
    }

    /// Writes what waits, at most `bound` bytes, and says what is left to do.
    func write(atMost bound: Int, scratch: inout [UInt8]) -> Wishes {
        state.withLock { $0.isPosted = false }
        var written = 0
        while written < bound, let count = writeOnce(&scratch) { written += count }
        tellReceiver()
        return state.withLock { state in
            Wishes(
                wantsRead: state.endpoint.wantsRead, wantsWrite: state.endpoint.wantsWrite,
                isFinished: state.endpoint.isFinished)
        }
    }

    /// Writes the rest of the last time, or the next frames; the number of bytes, or nil when the socket takes no more
    /// or nothing waits.
    private func writeOnce(_ scratch: inout [UInt8]) -> Int? {
        scratch.removeAll(keepingCapacity: true)
        state.withLock { state in
            state.isLoopWriting = true
            guard state.rest.isEmpty else { return swap(&scratch, &state.rest) }
            state.endpoint.fillOutput(&scratch, using: &state.masks)
            state.isLoopWriting = !scratch.isEmpty
        }
        guard !scratch.isEmpty else { return nil }
        let count = Glibc.send(
            socket.descriptor, scratch, scratch.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        guard count >= 0 || errno == EAGAIN || errno == EINTR else {
            state.withLock { $0.endpoint.peerEnded(at: .now) }
            return nil
        }
        let taken = max(0, count)
        state.withLock { state in
            if taken < scratch.count { state.rest = Array(scratch[taken...]) }
            state.isLoopWriting = false
            state.endpoint.wrote(taken, at: .now)
        }
        return taken < scratch.count ? nil : taken
    }
}
