import GlassesDomain
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A session at a Gemini Live endpoint that looks like one of the realtime protocol: its client's channel, and the receiver of the
/// socket behind it, which is another one after the server has gone away and the session was resumed.
///
/// It adds no thread and no queue of its own beside the order of what it hands over: both sides keep each other back as two ends of
/// one socket do.
final class GeminiChannel: WebSocketChannel {
    private struct State: ~Copyable {
        var wire: GeminiWire
        /// The socket; nil while another one is opened.
        var socket: (any WebSocketChannel)?
        /// Which socket that is; what others still bring is dropped.
        var number = 0
        var isPaused = false
        /// The client has had enough: the socket's end is the session's, whatever its code.
        var isClosing = false
        /// Nothing more is sent or told.
        var isOver = false
        var reopening: Task<Void, Never>?
    }

    private enum News: Sendable {
        case event([UInt8])
        case drained
        case closed(ConnectionClosure)
    }

    private let state: Mutex<State>
    private let open: WebSocketOpener
    private let news: OrderedDelivery<News>
    private static let goingAway: UInt16 = 1_001
    /// Ends that are nobody's fault: dropped links, and servers that restart.
    private static let resumable: Set<UInt16> = [1_001, 1_005, 1_006, 1_011, 1_012, 1_013, 1_015]
    /// Whatever a server has against a handle, the session begins anew with its history.
    private static let resumptionFailed = ConnectionClosure(
        code: "resumption_failed", message: "The provider did not take the session up again.", closeCode: 1_006)

    /// A session with `model`, as soon as the socket is open; `session.created` is the first message to `receiver`, after `opened`
    /// got the session. Throws as `open` does.
    static func connect(
        model: String, open: @escaping WebSocketOpener, receiver: any WebSocketReceiver,
        opened: @Sendable (any WebSocketChannel) -> Void = { _ in }
    ) async throws -> any WebSocketChannel {
        let prefix = String(UInt64.random(in: .min ... .max), radix: 36)
        let channel = GeminiChannel(wire: try GeminiWire(model: model, prefix: prefix), open: open, receiver: receiver)
        let socket = try await open(Leg(channel, 0))
        opened(channel)
        channel.opened(socket, 0)
        return channel
    }

    private init(wire: consuming sending GeminiWire, open: @escaping WebSocketOpener, receiver: any WebSocketReceiver) {
        state = Mutex(State(wire: wire))
        self.open = open
        news = OrderedDelivery { news in
            switch news {
            case .event(let event): receiver.received(.text(event))
            case .drained: receiver.drained()
            case .closed(let closure): receiver.closed(closure)
            }
        }
    }

    // MARK: - The client's side

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        defer { news.handOver() }
        return state.withLock { state in
            // No binary extension is negotiated with such an endpoint.
            guard !state.isOver, case .text(let bytes) = message else { return .refused }
            return carryOut(state.wire.client(bytes), &state, lane: lane)
        }
    }

    func close(code: UInt16, reason: String) {
        defer { news.handOver() }
        let socket = state.withLock { state -> (any WebSocketChannel)? in
            guard !state.isOver else { return nil }
            state.isClosing = true
            guard let socket = state.socket else {
                // Another one is being opened, and nobody would tell the end.
                let closure = ConnectionClosure(code: "closed", message: "The session was closed.", closeCode: code)
                end(closure, &state)
                return nil
            }
            return socket
        }
        socket?.close(code: code, reason: reason)
    }

    func pauseReading() {
        state.withLock { state in
            state.isPaused = true
            state.socket?.pauseReading()
        }
    }

    func resumeReading() {
        state.withLock { state in
            state.isPaused = false
            state.socket?.resumeReading()
        }
    }

    var waitingBytes: Int { state.withLock { $0.socket?.waitingBytes ?? 0 } }

    // MARK: - The server's side

    fileprivate func received(_ message: RealtimeMessage, _ number: Int) {
        defer { news.handOver() }
        state.withLock { state in
            guard state.number == number, !state.isOver else { return }
            // Before its setup a server has nothing to say, and an answer to it would get lost.
            guard number == 0 || state.socket != nil else { return end(Self.resumptionFailed, &state) }
            _ = carryOut(state.wire.server(message), &state, lane: .control)
        }
    }

    fileprivate func drained(_ number: Int) {
        defer { news.handOver() }
        if state.withLock({ $0.number == number }) { news.add(.drained) }
    }

    fileprivate func closed(_ closure: ConnectionClosure, _ number: Int) {
        defer { news.handOver() }
        state.withLock { state in
            guard state.number == number, !state.isOver else { return }
            guard !state.isClosing else { return end(closure, &state) }
            if state.number > 0, !state.wire.isAccepted { return end(Self.resumptionFailed, &state) }
            let steps = closure.closeCode.map(Self.resumable.contains) == true ? state.wire.dropped() : []
            if steps.isEmpty { end(closure, &state) } else { _ = carryOut(steps, &state, lane: .control) }
        }
    }

    // MARK: - Both

    private func opened(_ socket: any WebSocketChannel, _ number: Int) {
        defer { news.handOver() }
        let isWanted = state.withLock { state in
            guard state.number == number, !state.isOver else { return false }
            state.socket = socket
            state.reopening = nil
            if state.isPaused { socket.pauseReading() }
            _ = carryOut(state.wire.opened(), &state, lane: .control)
            // Whoever waits for the socket before it to drain would wait for ever.
            if number > 0 { news.add(.drained) }
            return true
        }
        if !isWanted { socket.close(code: Self.goingAway, reason: "") }
    }

    /// Under the lock, so that what is sent and told keeps its order.
    private func carryOut(_ steps: [GeminiWire.Step], _ state: inout State, lane: UplinkLane) -> UplinkOutcome {
        var outcome = UplinkOutcome.accepted
        for step in steps where !state.isOver {
            switch step {
            case .send(let message, let isAudio):
                let sent = state.socket?.send(.text(message), lane: isAudio ? lane : .control)
                if sent == .refused { outcome = .refused }
            case .deliver(let event): news.add(.event(event))
            case .reconnect: reconnect(&state)
            case .fail(let closure):
                state.socket?.close(code: Self.goingAway, reason: "")
                end(closure, &state)
            }
        }
        return outcome
    }

    private func reconnect(_ state: inout State) {
        // The end of the socket that there is ends the session.
        guard !state.isClosing else { return }
        state.socket?.close(code: 1_000, reason: "")
        state.socket = nil
        state.number += 1
        let number = state.number
        state.reopening = Task { [weak self, open] in
            guard let leg = self.map({ Leg($0, number) }) else { return }
            do {
                let socket = try await open(leg)
                if let self { self.opened(socket, number) } else { socket.close(code: Self.goingAway, reason: "") }
            } catch {
                self?.closed(Self.resumptionFailed, number)
            }
        }
    }

    private func end(_ closure: ConnectionClosure, _ state: inout State) {
        guard !state.isOver else { return }
        state.isOver = true
        state.socket = nil
        state.reopening?.cancel()
        news.add(.closed(closure))
    }
}

/// The receiver of one socket of a session. The socket keeps it, and with it the session, until it has ended.
private final class Leg: WebSocketReceiver {
    private let channel: GeminiChannel
    private let number: Int

    init(_ channel: GeminiChannel, _ number: Int) {
        self.channel = channel
        self.number = number
    }

    func received(_ message: RealtimeMessage) { channel.received(message, number) }
    func drained() { channel.drained(number) }
    func closed(_ closure: ConnectionClosure) { channel.closed(closure, number) }
}
