import GlassesDomain
import Glibc
import Synchronization

/// One TCP connection in the hands of the daemon, and the time that its peer has for what it does.
final class ClientConnection: DeadlineTarget {
    /// What the connection is waiting for.
    private enum Phase {
        /// The head of a request; `hasBegun` once its first line came.
        case head(hasBegun: Bool)
        case body
        /// The handler's answer, which is due at `limit`.
        case answer(Exchange, limit: MonotonicTime)
        /// The peer's reading of an answer.
        case sending
        /// Whatever comes over an upgraded socket.
        case upgraded
        case closed
    }

    private struct State {
        var phase = Phase.head(hasBegun: false)
        var deadline: MonotonicTime?
        var target: String?
        var exchange: Exchange?
    }

    /// The socket, under TLS one end of a pair; the daemon closes it.
    let descriptor: Int32
    let remote: IPAddress
    let local: IPAddress
    let isTLS: Bool
    let crowding: Crowding?
    private let limits: ServerLimits
    private let counters: ServerCounters
    private let state: Mutex<State>

    init(
        descriptor: Int32, remote: IPAddress, local: IPAddress, isTLS: Bool, crowding: Crowding?, limits: ServerLimits,
        counters: ServerCounters, now: MonotonicTime
    ) {
        self.descriptor = descriptor
        self.remote = remote
        self.local = local
        self.isTLS = isTLS
        self.crowding = crowding
        self.limits = limits
        self.counters = counters
        state = Mutex(State(deadline: now.advanced(by: limits.headTime)))
    }

    var nextDeadline: MonotonicTime? { state.withLock { $0.deadline } }

    /// The request that is being served; nil between requests.
    var exchange: Exchange? { state.withLock { $0.exchange } }

    /// The first line of a request came.
    func beginHead(target: String?, at now: MonotonicTime) {
        state.withLock { state in
            state.target = target
            state.phase = .head(hasBegun: true)
            let limit = now.advanced(by: limits.headTime)
            state.deadline = min(state.deadline ?? limit, limit)
        }
    }

    /// The head is complete; returns the target of its first line.
    func endHead(at now: MonotonicTime) -> String? {
        state.withLock { state in
            state.phase = .body
            state.deadline = now.advanced(by: limits.bodyTime)
            defer { state.target = nil }
            return state.target
        }
    }

    /// The request was accepted.
    func begin(_ exchange: Exchange) { state.withLock { $0.exchange = exchange } }

    /// The request is whole and goes to the handler.
    func awaitAnswer(_ exchange: Exchange, at now: MonotonicTime) {
        state.withLock { state in
            let limit = now.advanced(by: limits.answerTime)
            state.phase = .answer(exchange, limit: limit)
            state.deadline = min(limit, now.advanced(by: Self.presenceCheck))
        }
    }

    /// An answer goes out. That of unknown length has no bound in time of its own: the daemon drops a peer that reads
    /// nothing.
    func beginSending(isStream: Bool, at now: MonotonicTime) {
        state.withLock { state in
            state.phase = .sending
            state.deadline = isStream ? nil : now.advanced(by: limits.sendTime)
        }
    }

    /// The socket went to the loop of upgraded ones.
    func upgrade() {
        state.withLock { state in
            state.phase = .upgraded
            state.deadline = nil
        }
    }

    /// The request has ended; returns it.
    func endRequest(at now: MonotonicTime) -> Exchange? {
        state.withLock { state in
            state.phase = .head(hasBegun: false)
            state.deadline = now.advanced(by: limits.idleTime)
            defer { state.exchange = nil }
            return state.exchange
        }
    }

    /// The daemon is about to close the socket: from now on the descriptor is not touched.
    func close() -> Exchange? {
        state.withLock { state in
            state.phase = .closed
            state.deadline = nil
            defer { state.exchange = nil }
            return state.exchange
        }
    }

    /// How often a peer whose answer is being made is looked after: nobody else notices that it has left, since a connection that
    /// waits for its handler is not read.
    private static let presenceCheck = Duration.milliseconds(500)

    func deadlineReached(at now: MonotonicTime) {
        let (abandoned, isOverdue) = state.withLock { state -> (Exchange?, Bool) in
            guard let deadline = state.deadline, deadline <= now else { return (nil, false) }
            state.deadline = nil
            switch state.phase {
            case .answer(let exchange, let limit):
                if limit <= now { return (exchange, true) }
                if hasPeerLeft { return (exchange, false) }
                state.deadline = min(limit, now.advanced(by: Self.presenceCheck))
            case .head(let hasBegun): drop(saying: hasBegun ? Self.timeoutText : nil)
            case .body: drop(saying: Self.timeoutText)
            case .sending: drop(saying: nil)
            case .upgraded, .closed: break
            }
            return (nil, false)
        }
        guard let abandoned else { return }
        if isOverdue { counters.count { $0.answerTimeouts += 1 } }
        abandoned.abandonHandler(
            with: .error(504, code: "answer_timeout", message: "The answer took too long. Try again later."))
    }

    /// Whether the peer has closed its side. One that only ended what it sends is taken for gone too, as other servers do.
    private var hasPeerLeft: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// Ends the connection without the daemon's help, which notices it; it has not begun to answer.
    private func drop(saying text: [UInt8]?) {
        if let text { send(descriptor, text, text.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static let timeoutText: [UInt8] = {
        let answer = HTTPResponse.error(
            408, code: "request_timeout", message: "The request took too long to arrive. Send it again, faster.")
        guard case .bytes(let body) = answer.body else { return [] }
        let head =
            "HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n"
            + "Connection: close\r\n\r\n"
        return Array(head.utf8) + body
    }()
}
