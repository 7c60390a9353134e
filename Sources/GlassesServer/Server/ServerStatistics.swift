import GlassesDomain
import Synchronization

/// What a server counted since its start.
public struct ServerStatistics: Sendable, Hashable {
    /// TCP connections open now, upgraded ones included.
    public var connections = 0
    /// WebSockets open now.
    public var webSockets = 0
    /// WebSockets opened since the start.
    public var webSocketsOpened = 0
    /// Requests refused for their `Host` or `Origin`.
    public var foreignRequests = 0
    /// Requests refused because a bound of connections was reached, and connections closed without a word for the same
    /// reason.
    public var crowdedOut = 0
    /// Requests that the handler did not answer in time.
    public var answerTimeouts = 0
    /// WebSockets dropped because their peer did not read what it was sent.
    public var slowReaders = 0
    /// WebSockets dropped because their peer gave no sign of life.
    public var silentPeers = 0
}

/// The counters behind ``ServerStatistics``.
final class ServerCounters: Sendable {
    private let state = Mutex(ServerStatistics())

    var snapshot: ServerStatistics { state.withLock { $0 } }

    func count(_ change: (inout ServerStatistics) -> Void) { state.withLock { change(&$0) } }

    /// Counts the end of a WebSocket.
    func count(_ closure: ConnectionClosure) {
        state.withLock { state in
            state.webSockets -= 1
            switch closure.code {
            case "send_queue_full", "uplink_stalled": state.slowReaders += 1
            case "keep_alive_timeout": state.silentPeers += 1
            default: break
            }
        }
    }
}
