import GlassesWebSocket
import Synchronization

/// One request on its way through the server: it collects the body, waits for one answer, and hands it to the daemon's
/// thread.
final class Exchange: Sendable {
    private enum Phase {
        /// The body comes in.
        case receiving
        /// The handler was asked, and the connection is suspended.
        case handling
        /// The answer waits for the daemon's thread.
        case answered(HTTPAnswer)
        /// The daemon has the answer; the one that must still hear of its fate is kept.
        case sending(HTTPAnswer)
        case ended
    }

    private struct State {
        var phase = Phase.receiving
        var body: [UInt8] = []
        /// Bytes beyond the limit that were thrown away.
        var excess = 0
        var onAbandoned: [@Sendable () -> Void] = []
        var isAbandoned = false
    }

    /// The request, without its body.
    let request: HTTPRequest
    /// What the answer carries for an allowed page.
    let crossOrigin: HTTPFields
    private let limits: ServerLimits
    private let connection: SuspendedConnection
    private let state = Mutex(State())

    init(request: HTTPRequest, crossOrigin: HTTPFields, limits: ServerLimits, connection: SuspendedConnection) {
        self.request = request
        self.crossOrigin = crossOrigin
        self.limits = limits
        self.connection = connection
    }

    /// Takes a piece of the body; false when so much came beyond the limit that the connection must end without an
    /// answer.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard state.body.count + bytes.count <= limits.requestBody, state.excess == 0 else {
                state.body = []
                state.excess += bytes.count
                return state.excess <= limits.requestBody
            }
            state.body.append(contentsOf: bytes)
            return true
        }
    }

    /// Begins to wait for an answer and returns the whole request; nil when a refusal was answered already.
    func beginHandling() -> HTTPRequest? {
        state.withLock { state in
            guard state.excess == 0 else {
                state.phase = .answered(.response(.bodyTooLarge(limits)))
                return nil
            }
            state.phase = .handling
            var whole = request
            whole.body = state.body
            state.body = []
            return whole
        }
    }

    /// Whether the request is still coming in.
    var isReceiving: Bool {
        state.withLock { state in if case .receiving = state.phase { true } else { false } }
    }

    /// Gives the answer and wakes the connection; false, and the answer discarded, when there was one already.
    func answer(_ answer: HTTPAnswer) -> Bool {
        let isFirst = state.withLock { state in
            guard case .handling = state.phase else { return false }
            state.phase = .answered(answer)
            state.onAbandoned = []
            return true
        }
        if isFirst { connection.resume() } else { answer.discard() }
        return isFirst
    }

    /// Answers in the handler's place and tells it so; nothing happens when it answered already.
    func abandonHandler(with response: HTTPResponse) {
        let actions = state.withLock { state -> [@Sendable () -> Void]? in
            guard case .handling = state.phase else { return nil }
            state.phase = .answered(.response(response))
            state.isAbandoned = true
            defer { state.onAbandoned = [] }
            return state.onAbandoned
        }
        guard let actions else { return }
        connection.resume()
        for action in actions { HandlerThreads.shared.run(action) }
    }

    func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if case .handling = state.phase { state.onAbandoned.append(action) }
            return state.isAbandoned
        }
        if isLate { action() }
    }

    /// The answer, for the daemon's thread to send; nil while there is none.
    func takeAnswer() -> HTTPAnswer? {
        state.withLock { state in
            guard case .answered(let answer) = state.phase else { return nil }
            state.phase = .sending(answer)
            return answer
        }
    }

    /// The upgrade whose socket is open now; nil when the answer was none.
    func takeUpgrade() -> WebSocketUpgrade? {
        state.withLock { state in
            guard case .sending(.upgrade(let upgrade)) = state.phase else { return nil }
            state.phase = .ended
            return upgrade
        }
    }

    /// Gives up a body that is written while it is sent.
    func abandonStream() {
        let answer = state.withLock { state -> HTTPAnswer? in
            if case .sending(let answer) = state.phase { answer } else { nil }
        }
        if case .response? = answer { answer?.discard() }
    }

    /// Ends with the connection or after the answer was sent; whoever waits for an unused socket or stream is told.
    func end() {
        let unused = state.withLock { state -> HTTPAnswer? in
            defer { state.phase = .ended }
            switch state.phase {
            case .answered(let answer), .sending(let answer): return answer
            case .receiving, .handling, .ended: return nil
            }
        }
        if let unused { HandlerThreads.shared.run { unused.discard() } }
    }
}
