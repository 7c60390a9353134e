import GlassesDomain
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A Gemini Live server without a network: accepts each setup, and does what a test says after that.
final class ScriptedLive: Sendable {
    /// One connection of a client.
    final class Socket: WebSocketChannel {
        private struct State {
            var messages: [GeminiClientMessage] = []
            var isPaused = false
            var closeCode: UInt16?
        }

        let receiver: any WebSocketReceiver
        private let state = Mutex(State())

        init(_ receiver: any WebSocketReceiver) { self.receiver = receiver }

        var messages: [GeminiClientMessage] { state.withLock { $0.messages } }
        var isPaused: Bool { state.withLock { $0.isPaused } }
        var closeCode: UInt16? { state.withLock { $0.closeCode } }
        var setup: GeminiSetup? {
            if case .setup(let setup)? = messages.first { setup } else { nil }
        }

        func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
            guard case .text(let bytes) = message else { return .refused }
            do {
                let decoded = try GeminiCodec.decodeClient(bytes)
                state.withLock { $0.messages.append(decoded) }
                return .accepted
            } catch {
                return .refused
            }
        }

        func close(code: UInt16, reason: String) { state.withLock { $0.closeCode = code } }
        func pauseReading() { state.withLock { $0.isPaused = true } }
        func resumeReading() { state.withLock { $0.isPaused = false } }
        var waitingBytes: Int { 7 }

        /// The server says something, in a binary frame as the original does.
        func say(_ message: GeminiServerMessage) { receiver.received(.binary(GeminiCodec.encode(message))) }
        func say(_ body: GeminiServerMessage.Body) { say(GeminiServerMessage(body)) }
    }

    private let state = Mutex<[Socket]>([])
    private let refusal: ConnectionClosure?
    private let greeting: GeminiServerMessage.Body?

    /// A server that refuses each connection after the first one, or says something on it before it is opened.
    init(
        refusingAfterTheFirst refusal: ConnectionClosure? = nil, greetingAfterTheFirst: GeminiServerMessage.Body? = nil
    ) {
        self.refusal = refusal
        greeting = greetingAfterTheFirst
    }

    var sockets: [Socket] { state.withLock { $0 } }

    var opener: WebSocketOpener {
        { receiver in
            let isFirst = self.sockets.isEmpty
            if let refusal = self.refusal, !isFirst { throw refusal }
            let socket = Socket(receiver)
            self.state.withLock { $0.append(socket) }
            if let greeting = self.greeting, !isFirst { socket.say(greeting) }
            return socket
        }
    }

    /// The socket that came as number `index`; waits up to 20 s for it.
    func socket(_ index: Int) async throws -> Socket {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if sockets.count > index, sockets[index].setup != nil { return sockets[index] }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw ConnectionClosure(code: "timeout", message: "no connection \(index) came")
    }
}

/// What a client of the realtime protocol gets.
final class ScriptedClient: WebSocketReceiver {
    private struct State {
        var events: [ServerEvent] = []
        var drained = 0
        var closure: ConnectionClosure?
    }

    private let state = Mutex(State())

    var events: [ServerEvent] { state.withLock { $0.events } }
    var types: [String] { events.map(\.type) }
    var closure: ConnectionClosure? { state.withLock { $0.closure } }
    var drainedCount: Int { state.withLock { $0.drained } }

    func received(_ message: RealtimeMessage) {
        guard case .text(let bytes) = message else { return }
        do {
            let event = try RealtimeCodec.decodeServerEvent(bytes).event
            state.withLock { $0.events.append(event) }
        } catch {
            state.withLock { $0.events.append(.unknown(type: "undecodable", raw: .null)) }
        }
    }

    func drained() { state.withLock { $0.drained += 1 } }
    func closed(_ closure: ConnectionClosure) { state.withLock { $0.closure = closure } }
}

extension WebSocketChannel {
    /// Sends an event of the realtime protocol.
    @discardableResult
    func send(_ event: ClientEvent, lane: UplinkLane = .control) -> UplinkOutcome {
        send(.text(RealtimeCodec.encode(event)), lane: lane)
    }
}
