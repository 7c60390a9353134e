import Foundation
import GlassesDomain
import Synchronization

/// TLS in front of the server: a thread that decrypts for it and encrypts what it says.
///
/// libmicrohttpd's own TLS forwards an upgraded connection four bytes at a time (docs/decisions/server-tls.md).
final class TLSFront: Sendable {
    /// A socket that was accepted, and the addresses of its two ends.
    struct Arrival {
        var socket: Int32
        var remote: IPAddress
        var local: IPAddress
    }

    private struct State {
        var arrivals: [Arrival] = []
        var isStopping = false
        var tunnels = 0
    }

    let credentials: TLSCredentials
    let limits: ServerLimits
    /// Serves a socket in clear whose peer was reached at these addresses, and owns it.
    let serve: @Sendable (Int32, _ remote: IPAddress, _ local: IPAddress) -> Void
    private let thread: LoopThread
    private let state = Mutex(State())

    /// Throws ``ServerError`` when the system has no more descriptors.
    init(
        credentials: TLSCredentials, limits: ServerLimits,
        serve: @escaping @Sendable (Int32, _ remote: IPAddress, _ local: IPAddress) -> Void
    ) throws(ServerError) {
        self.credentials = credentials
        self.limits = limits
        self.serve = serve
        thread = try LoopThread(name: "glasses-tls")
    }

    /// Starts the thread.
    func start() throws(ServerError) {
        thread.start(try TLSTurns(front: self, wakeup: thread.wakeup)) { $0.run() }
    }

    /// Takes an accepted socket and owns it; false when there are as many as the server may hold. [loop]
    func add(_ socket: Int32, from remote: IPAddress, at local: IPAddress) -> Bool {
        let isTaken = state.withLock { state in
            guard state.tunnels + state.arrivals.count < limits.connections + ConnectionRegistry.spare else {
                return false
            }
            state.arrivals.append(Arrival(socket: socket, remote: remote, local: local))
            return true
        }
        if isTaken { thread.wake() } else { close(socket) }
        return isTaken
    }

    /// What has arrived, and whether the front is to end. [tls]
    func takeArrivals() -> (arrivals: [Arrival], isStopping: Bool) {
        state.withLock { state in
            defer { state.arrivals = [] }
            return (state.arrivals, state.isStopping)
        }
    }

    /// How many tunnels there are. [tls]
    func count(_ tunnels: Int) { state.withLock { $0.tunnels = tunnels } }

    /// Lets the last bytes out, ends the thread, and blocks until it has ended; nothing may be added any more. [any]
    func stop() {
        state.withLock { $0.isStopping = true }
        thread.wake()
        thread.waitForEnd()
    }
}
