import Dispatch
import GlassesDomain
import GlassesWebSocket
import Synchronization

/// An HTTP and WebSocket server for machines and for the pages it knows.
///
/// A request reaches the handler only when its `Host` names this server as it was started and its `Origin`, if there is
/// one, is on the list; every other one is refused with 403, whatever its path. Ends with ``drain(within:reason:)``.
public final class HTTPServer: Sendable {
    private enum Stage { case serving, draining, stopped }

    private struct State {
        var stage = Stage.serving
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The port that it listens on.
    public let port: UInt16
    /// Where it listens, as in a URL: `127.0.0.1:8080`.
    public let address: String
    private let core: ServerCore
    private let state = Mutex(State())

    private init(core: ServerCore, address: IPAddress, port: UInt16) {
        self.core = core
        self.port = port
        self.address = "\(address.urlHost):\(port)"
    }

    /// Starts to listen and to answer; returns once connections are accepted. The handler is called on threads of the
    /// server.
    ///
    /// Throws ``ServerError`` for an unusable set-up: an address in use, files for TLS that cannot be read or do not
    /// belong together, a malformed name or origin.
    public static func start(
        configuration: ServerConfiguration, handler: any HTTPHandler
    ) throws(ServerError) -> HTTPServer {
        let names = try configuration.authorities()
        let origins = try configuration.origins()
        let credentials = try configuration.tls.map { (files) throws(ServerError) in try TLSCredentials(files) }
        let listening = try ListeningSocket.open(configuration.listen)
        let port = ListeningSocket.port(of: listening)
        let address = configuration.listen.address
        let admission = Admission(
            hosts: HostRule(listening: address, port: port, isTLS: credentials != nil, names: names),
            origins: OriginRule(allowed: origins), limits: configuration.limits)
        do {
            let core = try ServerCore(
                admission: admission, credentials: credentials, handler: handler, listening: listening)
            return HTTPServer(core: core, address: address, port: port)
        } catch {
            ListeningSocket.discard(listening)
            throw error
        }
    }

    /// What was counted so far.
    public var statistics: ServerStatistics { core.statistics }

    /// Whether the server has begun to end.
    public var isDraining: Bool { core.isDraining }

    /// Ends the server: nothing is accepted any more, requests under way are answered, WebSockets are closed with 1001
    /// and `reason`, and what is left after `bound` is dropped. Returns when every socket is closed and every thread
    /// has ended, at most 2 s after the bound. Further calls wait for the same end.
    public func drain(within bound: Duration = .seconds(5), reason: String = "server is going away") async {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state -> Bool? in
                switch state.stage {
                case .stopped: return nil
                case .serving:
                    state.stage = .draining
                    state.waiting.append(continuation)
                    return true
                case .draining:
                    state.waiting.append(continuation)
                    return false
                }
            }
            guard let isFirst else { return continuation.resume() }
            guard isFirst else { return }
            core.beginDraining()
            HandlerThreads.shared.run { [self] in end(within: bound, reason: reason) }
        }
    }

    private func end(within bound: Duration, reason: String) {
        core.end(within: bound, reason: reason)
        let waiting = state.withLock { state in
            state.stage = .stopped
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    deinit {
        guard state.withLock({ $0.stage == .serving }) else { return }
        core.beginDraining()
        HandlerThreads.shared.run { [core] in core.end(within: .zero, reason: "server is going away") }
    }
}
