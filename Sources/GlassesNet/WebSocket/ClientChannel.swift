import GlassesDomain
import GlassesWebSocket
import Synchronization

/// The open connection as its users see it, and the value that both sides change under one lock.
///
/// A send writes to a plain socket at once. Under TLS, or while the kernel takes no more, it costs one lock, an append and, unless
/// a wake is on its way already, one more append and an eventfd write.
final class ClientChannel: WebSocketChannel {
    private struct State {
        var endpoint: WebSocketEndpoint
        var writer: DirectWriter
        var isWakePosted = false
    }

    private let state: Mutex<State>
    private let address: LoopAddress
    let subprotocol: String?

    /// `socket` is what senders may write to themselves; nil leaves that to the network thread.
    init(endpoint: WebSocketEndpoint, socket: Int32?, address: LoopAddress, subprotocol: String? = nil) {
        self.subprotocol = subprotocol
        state = Mutex(State(endpoint: endpoint, writer: DirectWriter(socket: socket)))
        self.address = address
    }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        change(writesAtOnce: true) { $0.send(message, lane: lane, at: .now) }
    }

    func close(code: UInt16, reason: String) { change { $0.close(code: code, reason: reason, at: .now) } }

    func pauseReading() { change { $0.pauseReading(at: .now) } }

    func resumeReading() { change { $0.resumeReading(at: .now) } }

    var waitingBytes: Int { state.withLock { $0.endpoint.waitingBytes } }

    /// Changes the endpoint on the network thread, which looks at it afterwards by itself.
    func onLoop<Result>(_ body: (inout WebSocketEndpoint) -> Result) -> Result {
        state.withLock { body(&$0.endpoint) }
    }

    /// The network thread has come to look.
    func wakeArrived() { state.withLock { $0.isWakePosted = false } }

    /// Hands the network thread what it has to write next.
    func fill(_ output: inout [UInt8], using generator: inout MaskGenerator) {
        state.withLock { $0.writer.fill(&output, from: &$0.endpoint, using: &generator) }
    }

    private func change<Result>(
        writesAtOnce: Bool = false, _ body: (inout WebSocketEndpoint) -> Result
    ) -> Result {
        let (result, needsWake) = state.withLock { state in
            let result = body(&state.endpoint)
            // A network thread that is on its way does it all.
            if state.isWakePosted || (writesAtOnce && state.writer.write(&state.endpoint)) { return (result, false) }
            state.isWakePosted = true
            return (result, true)
        }
        if needsWake { address.wake() }
        return result
    }
}
