import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Synchronization

extension WebSocketRequest {
    /// A request to a server of the lab, past every proxy, with the lab's authority.
    static func to(
        _ server: ScriptedServer, _ path: String = "/v1/realtime", lab: CertificateLab? = nil,
        subprotocols: [String] = [], limits: WebSocketLimits = .client, openTimeout: Duration = .seconds(10)
    ) -> WebSocketRequest {
        WebSocketRequest(
            url: URL(string: server.webSocketURL + path)!, subprotocols: subprotocols,
            settings: NetworkSettings(caFile: lab?.authority, proxy: .none), limits: limits, openTimeout: openTimeout)
    }
}

/// An attempt whose end is timed on the network thread, so that busy tests in the same process do not count.
final class TimedAttempt: Sendable {
    private struct State {
        var end: (result: Result<OpenedWebSocket, WebSocketOpenFailure>, at: ContinuousClock.Instant)?
        var count = 0
    }

    /// When it began.
    let start = ContinuousClock.now
    private let state = Mutex(State())

    /// Opens, and returns the handle that can cancel it.
    func open(_ request: WebSocketRequest) -> WebSocketOpening {
        WebSocketClient.open(request, receiver: TestReceiver()) { result in
            self.state.withLock { state in
                state.end = (result, .now)
                state.count += 1
            }
        }
    }

    /// The failure and its moment; throws when it has succeeded or does not end.
    func failure() async throws -> (closure: ConnectionClosure, at: ContinuousClock.Instant) {
        try await eventually(within: .seconds(30)) { self.state.withLock { $0.end != nil } }
        guard let end = state.withLock({ $0.end }), case .failure(let failure) = end.result else { throw TooLate() }
        return (failure.closure, end.at)
    }

    /// How often the end was told.
    var endings: Int { state.withLock { $0.count } }
}
