import Glibc
import Synchronization

/// Connections to a mock link's socket: the client's half of its greeting.
package final class MockLinkSource: LinkWireSource {
    /// When a link connects again after its other end was gone.
    package enum Reconnect: Sendable, Equatable {
        case never
        /// After 0.1 s, then each time after twice as long, up to the bound.
        case always(atMost: Duration)
    }

    private struct State {
        var wire: (any LinkWire)?
        var isInterrupted = false
    }

    /// How long the server may take to let us in.
    private static let patience = Duration.seconds(5)
    private static let firstPause = Duration.milliseconds(100)

    private let path: String
    private let reconnect: Reconnect
    private let name: String
    private let state = Mutex(State())

    /// Connections to the socket at `path`, as the program `name`.
    package init(path: String, name: String, reconnect: Reconnect = .always(atMost: .seconds(2))) {
        self.path = path
        self.name = name
        self.reconnect = reconnect
    }

    package func pause(afterFailures failures: Int) -> Duration? {
        switch reconnect {
        case .never: nil
        case .always(let most): min(Self.firstPause * (1 << min(failures, 10)), most)
        }
    }

    package func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            return state.wire
        }?.interrupt()
    }

    package func next() -> LinkWireResult {
        if state.withLock({ $0.isInterrupted }) { return .interrupted }
        guard let descriptor = UnixSocket.connect(to: path) else { return .failed(Self.nobody) }
        guard UnixSocket.peerUser(of: descriptor) == geteuid() else {
            close(descriptor)
            return .failed(Self.stranger)
        }
        guard let wire = SocketWire(descriptor: descriptor) else { return .failed(Self.exhausted) }
        defer { state.withLock { $0.wire = nil } }
        let isInterrupted = state.withLock { state in
            state.wire = wire
            return state.isInterrupted
        }
        if isInterrupted { wire.interrupt() }
        wire.send(.control(.hello(LinkHello(versions: [LinkLimits.version], name: name, version: "1"))))
        switch wire.receive(until: .now.advanced(by: Self.patience)) {
        case .message(.control(.welcome)): return .connected(wire, heartbeat: nil)
        case .message(.control(.refused(let refused))):
            return failed(wire, Refusal(.transport, refused.message, isRetryable: refused.retryAfter != nil))
        case .message: return failed(wire, Self.strange)
        case .timedOut: return failed(wire, Self.silent)
        case .interrupted:
            wire.finish(within: .zero)
            return .interrupted
        case .ended(let refusal): return failed(wire, refusal)
        }
    }

    private func failed(_ wire: SocketWire, _ refusal: Refusal) -> LinkWireResult {
        wire.finish(within: .zero)
        return .failed(refusal)
    }

    private static let nobody = Refusal(
        .link, "Nobody serves this mock link. Start the app that enables its mock device kit.", isRetryable: true)
    private static let stranger = Refusal(
        .trust, "The mock link belongs to another user. Use one of an app that you started.", isRetryable: false)
    private static let exhausted = Refusal(
        .resources, "This process has no descriptor left. Close something.", isRetryable: true)
    private static let silent = Refusal(
        .timeout, "The mock link did not answer. Look whether its app hangs.", isRetryable: true)
    private static let strange = Refusal(
        .transport, "The mock link answered with something else. Use the same version in both programs.",
        isRetryable: false)
}

extension RemoteLink {
    /// A link to the mock device kit that another process of this user serves at a socket.
    package convenience init(
        mockLink path: String, name: String, reconnect: MockLinkSource.Reconnect = .always(atMost: .seconds(2))
    ) {
        self.init(source: MockLinkSource(path: path, name: name, reconnect: reconnect))
    }
}
