import Dispatch
import GlassesDomain
import GlassesWebSocket

/// The threads of one server (loop, daemon, TLS), and the order in which they start and end.
final class ServerCore: Sendable {
    /// How long after the bound of a drain the last sockets may take to be given back.
    private static let lastMoments = DispatchTimeInterval.milliseconds(1_000)

    private let loop: ServerLoop
    private let daemon: HTTPDaemon
    private let front: TLSFront?

    /// Takes the listening socket over unless it throws.
    init(
        admission: Admission, credentials: TLSCredentials?, handler: any HTTPHandler, listening: Int32
    ) throws(ServerError) {
        loop = try ServerLoop(limits: admission.limits)
        let daemon = try HTTPDaemon(admission: admission, isTLS: credentials != nil, handler: handler, loop: loop)
        self.daemon = daemon
        do {
            front = try credentials.map { (credentials) throws(ServerError) in
                try TLSFront(credentials: credentials, limits: admission.limits) {
                    daemon.add($0, from: $1, at: $2)
                }
            }
            try loop.start()
        } catch {
            daemon.stop()
            throw error
        }
        do {
            try front?.start()
        } catch {
            loop.stop()
            daemon.stop()
            throw error
        }
        loop.post(.listen(Acceptor(descriptor: listening, daemon: daemon, front: front)))
    }

    var statistics: ServerStatistics {
        var statistics = loop.counters.snapshot
        statistics.connections = daemon.registry.count
        return statistics
    }

    /// Whether the end has begun.
    var isDraining: Bool { daemon.isDraining }

    /// From now on every answer ends its connection, and the handler may tell so.
    func beginDraining() { daemon.beginDraining() }

    /// Ends everything after ``beginDraining()``, in the order in which nobody speaks to what is gone; blocks.
    func end(within bound: Duration, reason: String) {
        let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: max(0, bound.wholeNanoseconds)))
        loop.post(.stopListening)
        loop.post(.closeAll(code: WebSocketCloseCode.goingAway, reason: reason))
        if !daemon.registry.waitForRequests(until: deadline) {
            daemon.abandonRequests()
            loop.post(.dropAll)
            _ = daemon.registry.waitForRequests(until: .now() + Self.lastMoments)
        }
        daemon.abandonRequests()
        loop.stop()
        daemon.stop()
        front?.stop()
    }
}
