import GlassesDomain
import GlassesWebSocket
import Synchronization

/// The open connection as its users see it, and the value that both sides change under one lock.
///
/// A send costs one lock, an append and, unless a wake is on its way already, one more append and an eventfd write.
final class ClientChannel: WebSocketChannel {
    private struct State {
        var endpoint: WebSocketEndpoint
        var isWakePosted = false
    }

    private let state: Mutex<State>
    private let address: LoopAddress

    init(endpoint: WebSocketEndpoint, address: LoopAddress) {
        state = Mutex(State(endpoint: endpoint))
        self.address = address
    }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        change { $0.send(message, lane: lane, at: .now) }
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

    private func change<Result>(_ body: (inout WebSocketEndpoint) -> Result) -> Result {
        let (result, needsWake) = state.withLock { state in
            let result = body(&state.endpoint)
            defer { state.isWakePosted = true }
            return (result, !state.isWakePosted)
        }
        if needsWake { address.wake() }
        return result
    }
}
