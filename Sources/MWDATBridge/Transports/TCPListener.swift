import Dispatch
import Glibc
import MWDATCore
import Synchronization

/// Accepts phones over plain TCP.
final class TCPListener: BridgeListener {
    private struct State {
        var isStopped = false
        var thread: LinkThread?
    }

    /// Connections that the system keeps while we look elsewhere.
    private static let backlog: Int32 = 8

    let address: String
    private let descriptor: Int32
    private let waker: SocketWaker
    private let greetings: Greetings
    private let state = Mutex(State())

    init(_ address: NumericAddress, reception: Reception) throws(DATBridgeError) {
        guard let waker = SocketWaker() else {
            throw DATBridgeError("listen", "This process has no descriptor left. Close something.")
        }
        guard let descriptor = address.listen(backlog: Self.backlog) else {
            throw DATBridgeError(
                "listen", "Nothing can listen at \(address.text(port: address.port)). Choose another address or port.")
        }
        self.descriptor = descriptor
        self.waker = waker
        greetings = Greetings(reception: reception)
        self.address = address.text(port: NumericAddress.port(of: descriptor))
        let thread = LinkThread(name: "dat-bridge") { [self] in accept() }
        state.withLock { $0.thread = thread }
    }

    deinit { close(descriptor) }

    func stop() {
        let thread = state.withLock { state in
            state.isStopped = true
            return state.thread
        }
        waker.wake()
        thread?.wait(within: .seconds(2))
        greetings.stop()
    }

    private func accept() {
        while !state.withLock({ $0.isStopped }) {
            guard waker.waits(forReading: descriptor) else { continue }
            let accepted = Glibc.accept(descriptor, nil, nil)
            guard accepted >= 0 else {
                // No descriptor is left: the waiting connection keeps the socket readable, so do not spin.
                if errno == EMFILE || errno == ENFILE { usleep(50_000) }
                continue
            }
            _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
            NumericAddress.tune(accepted)
            // Who is too many is dropped without a word: only a stranger opens so many.
            if let wire = SocketWire(descriptor: accepted), !greetings.begin(wire) { wire.finish(within: .zero) }
        }
    }
}
