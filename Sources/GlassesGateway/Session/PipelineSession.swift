import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A session that is served here: a client's socket and the pipeline, each held back when the other does not keep up.
///
/// The socket's side runs on the server's loop and hands messages over; the pipeline's side is one task that waits for
/// events, without a thread of its own. Pongs are the loop's: no inference can delay them.
final class PipelineSession: WebSocketReceiver, RunningSession {
    private struct State {
        /// Who waits for the socket to take what was sent.
        var whenDrained: CheckedContinuation<Void, Never>?
        var isClosed = false
        var deadline: Task<Void, Never>?
    }

    private let channel: any WebSocketChannel
    private let connection: PipelineConnection
    private let record: SessionRecord
    private let registry: SessionRegistry
    private let state = Mutex(State())

    init(
        channel: any WebSocketChannel, connection: PipelineConnection, record: SessionRecord, registry: SessionRegistry
    ) {
        self.channel = channel
        self.connection = connection
        self.record = record
        self.registry = registry
    }

    /// Begins to pass events, until the socket closes or the session has lasted for `length`.
    func start(length: Duration, clock: ClockPort) {
        registry.begin(record, self)
        Task { await passEvents() }
        let end = clock.now().advanced(by: length)
        let deadline = Task { [weak self] in
            do { try await clock.sleepUntil(end) } catch { return }  // cancelled: the session has ended
            self?.expire(after: length)
        }
        let isClosed = state.withLock { state in
            state.deadline = deadline
            return state.isClosed
        }
        if isClosed { deadline.cancel() }
    }

    func received(_ message: RealtimeMessage) {
        record.countReceived()
        guard connection.send(message, lane: .control) == .accepted, connection.isBehind else { return }
        channel.pauseReading()
        connection.whenCaughtUp { [channel] in channel.resumeReading() }
    }

    func drained() { takeWaiter()?.resume() }

    func closed(_ closure: ConnectionClosure) {
        let deadline = state.withLock { state in
            state.isClosed = true
            return state.deadline
        }
        deadline?.cancel()
        connection.close(code: 1_001, reason: "The client has left.")
        takeWaiter()?.resume()
        registry.end(record, closeCode: closure.closeCode)
    }

    func close(code: UInt16, reason: String) { channel.close(code: code, reason: reason) }

    private func passEvents() async {
        for await inbound in connection.inbound {
            switch inbound {
            case .message(let message):
                // One lane for everything: audio must not be overtaken by the event that says it is complete.
                if channel.send(message, lane: .control) == .accepted { record.countSent() }
                await waitForSocket()
            case .closed(let closure):
                channel.close(code: closure.closeCode ?? 1_011, reason: closure.message)
            }
        }
    }

    /// Waits while much waits for a slow reader; the pipeline then stops making audio.
    private func waitForSocket() async {
        guard channel.waitingBytes > GatewayLimits.outboundHighWater else { return }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                // Looked at again under the lock that `drained` takes, so that its call cannot be missed.
                if state.isClosed || channel.waitingBytes <= GatewayLimits.outboundHighWater { return true }
                state.whenDrained = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func takeWaiter() -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            defer { state.whenDrained = nil }
            return state.whenDrained
        }
    }

    private func expire(after length: Duration) {
        let minutes = Int(length.seconds / 60)
        let reason = "Your session hit the maximum duration of \(minutes) minutes."
        let error = RealtimeErrorInfo(message: reason, code: "session_expired")
        let event = RealtimeCodec.encode(.error(error), eventId: PipelineConnector.randomId("event_"))
        if channel.send(.text(event), lane: .control) == .accepted { record.countSent() }
        channel.close(code: 1_001, reason: reason)
    }
}
