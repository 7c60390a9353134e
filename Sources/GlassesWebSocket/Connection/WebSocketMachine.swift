import GlassesDomain

/// The life of one open WebSocket in either role: proof of life, the closing handshake, and one end.
///
/// It sees facts and no bytes; ``WebSocketEndpoint`` joins it with the decoder and the send queue.
struct WebSocketMachine: Sendable {
    /// What happened.
    enum Input: Sendable, Equatable {
        /// Bytes of the peer came, whatever they say.
        case bytesArrived
        /// The decoder completed an event.
        case eventDecoded(WebSocketEvent)
        /// The peer broke the protocol or a limit.
        case decodingFailed(WebSocketFailure)
        /// The app closes.
        case closeRequested(code: UInt16, reason: String)
        /// The close frame and all before it is with the kernel.
        case closeWritten
        /// Reading stopped because the app is behind.
        case readingPaused
        /// Reading goes on.
        case readingResumed
        /// The peer ended its side of the link.
        case peerEnded
        /// The link broke, or a bound of the send queue did.
        case linkLost(ConnectionClosure)
        /// The moment of ``WebSocketMachine/deadline`` came; a stale one changes nothing.
        case timerFired
    }

    /// What to do: one slot for each place where something can happen.
    struct Actions: Sendable, Equatable {
        /// A message for the app.
        var deliver: RealtimeMessage?
        /// A control frame to send.
        var send: ControlFrame?
        /// Whether the messages that wait are given up, all of them or the audio.
        var discard = Discard.nothing
        /// The end to tell the app; at most once in a machine's life.
        var closure: ConnectionClosure?

        /// Nothing to do.
        init() {}
    }

    /// A frame that steers the connection.
    enum ControlFrame: Sendable, Equatable {
        case ping
        /// Takes the place of a pong that still waits: only the newest ping needs an answer (RFC 6455 section 5.5.3).
        case pong([UInt8])
        /// After all that still waits; nothing is sent after it.
        case close(code: UInt16?, reason: String)
    }

    /// Which waiting messages are given up.
    enum Discard: Sendable, Equatable {
        case nothing
        case audio
        case everything
    }

    private enum State: Equatable {
        case open(KeepAlive)
        /// Our close frame is queued or sent and the peer's has not come.
        case closing(code: UInt16, reason: String, isWritten: Bool, until: MonotonicTime)
        /// The app knows the end; our close frame is on its way. After a failure the peer's bytes are read and dropped
        /// until it ends the link: closing a socket with unread bytes resets it, and the peer would lose the close
        /// frame.
        case leaving(drainsPeer: Bool, until: MonotonicTime)
        case finished
    }

    private let closeBound: Duration
    private var state: State

    /// A machine for a connection that opened at `now`.
    init(limits: WebSocketLimits, at now: MonotonicTime) {
        closeBound = limits.close
        state = .open(KeepAlive(interval: limits.pingInterval, timeout: limits.pongTimeout, at: now))
    }

    /// Whether messages can be sent.
    var isOpen: Bool { if case .open = state { true } else { false } }
    /// Whether the socket may be dropped.
    var isFinished: Bool { state == .finished }

    /// When ``Input/timerFired`` is due; nil when nothing waits for a moment.
    var deadline: MonotonicTime? {
        switch state {
        case .open(let keepAlive): keepAlive.deadline
        case .closing(_, _, _, let until), .leaving(_, let until): until
        case .finished: nil
        }
    }

    /// Takes a fact and says what to do.
    mutating func apply(_ input: Input, at now: MonotonicTime) -> Actions {
        switch input {
        case .bytesArrived: updateKeepAlive { $0.heard(at: now) }
        case .readingPaused: updateKeepAlive { $0.paused() }
        case .readingResumed: updateKeepAlive { $0.resumed(at: now) }
        case .eventDecoded(let event): decoded(event, at: now)
        case .decodingFailed(let failure): failed(failure, at: now)
        case .closeRequested(let code, let reason): closeRequested(code, reason, at: now)
        case .closeWritten: closeWritten()
        case .peerEnded: ended(with: .dropped)
        case .linkLost(let closure): ended(with: closure)
        case .timerFired: timerFired(at: now)
        }
    }

    private mutating func updateKeepAlive(_ change: (inout KeepAlive) -> Void) -> Actions {
        switch state {
        case .open(var keepAlive):
            change(&keepAlive)
            state = .open(keepAlive)
        case .closing, .leaving, .finished: break
        }
        return Actions()
    }

    private mutating func decoded(_ event: WebSocketEvent, at now: MonotonicTime) -> Actions {
        var actions = Actions()
        switch event {
        case .message(let message): if isOpen { actions.deliver = message }
        case .ping(let payload): if isOpen { actions.send = .pong(payload) }
        case .pong: break
        case .close(let code, let reason): return peerClosed(code, reason, at: now)
        }
        return actions
    }

    private mutating func peerClosed(_ code: UInt16?, _ reason: String, at now: MonotonicTime) -> Actions {
        var actions = Actions()
        switch state {
        case .open:
            actions.send = .close(code: code, reason: "")
            actions.discard = .everything
            actions.closure = .closedByPeer(code: code, reason: reason)
            state = .leaving(drainsPeer: false, until: now.advanced(by: closeBound))
        case .closing(let code, let reason, let isWritten, let until):
            actions.discard = .everything
            actions.closure = .closedHere(code: code, reason: reason)
            state = isWritten ? .finished : .leaving(drainsPeer: false, until: until)
        case .leaving, .finished: break
        }
        return actions
    }

    private mutating func failed(_ failure: WebSocketFailure, at now: MonotonicTime) -> Actions {
        var actions = Actions()
        switch state {
        case .open:
            actions.send = .close(code: failure.closeCode, reason: failure.code)
            actions.discard = .everything
            actions.closure = .failed(failure)
            state = .leaving(drainsPeer: true, until: now.advanced(by: closeBound))
        case .closing(_, _, _, let until):
            actions.discard = .everything
            actions.closure = .closeUnanswered
            state = .leaving(drainsPeer: true, until: until)
        case .leaving, .finished: break
        }
        return actions
    }

    private mutating func closeRequested(_ code: UInt16, _ reason: String, at now: MonotonicTime) -> Actions {
        var actions = Actions()
        switch state {
        case .open:
            actions.send = .close(code: code, reason: reason)
            actions.discard = .audio
            state = .closing(code: code, reason: reason, isWritten: false, until: now.advanced(by: closeBound))
        case .closing, .leaving, .finished: break
        }
        return actions
    }

    private mutating func closeWritten() -> Actions {
        switch state {
        case .closing(let code, let reason, _, let until):
            state = .closing(code: code, reason: reason, isWritten: true, until: until)
        case .leaving(drainsPeer: false, _): state = .finished
        case .leaving(drainsPeer: true, _), .open, .finished: break
        }
        return Actions()
    }

    private mutating func ended(with closure: ConnectionClosure) -> Actions {
        var actions = Actions()
        switch state {
        case .open: actions.closure = closure
        case .closing: actions.closure = .closeUnanswered
        case .leaving, .finished: break
        }
        actions.discard = .everything
        state = .finished
        return actions
    }

    private mutating func timerFired(at now: MonotonicTime) -> Actions {
        switch state {
        case .open(var keepAlive):
            let verdict = keepAlive.judge(at: now)
            state = .open(keepAlive)
            var actions = Actions()
            switch verdict {
            case .alive: break
            case .ask: actions.send = .ping
            case .lost: return ended(with: .silent)
            }
            return actions
        case .closing(_, _, _, let until), .leaving(_, let until):
            return now >= until ? ended(with: .closeUnanswered) : Actions()
        case .finished: return Actions()
        }
    }
}
