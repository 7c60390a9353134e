import GlassesServer
import Synchronization

/// `GET /metrics`, for Prometheus; it wants a token like every request that tells something of others.
struct MetricsEndpoint: HTTPHandler {
    let gateway: GatewayParts

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        guard let admission = gateway.admissions.admit(Credential(request).key), !admission.isClientSecret else {
            return completion.refuse(.unauthorized)
        }
        let text = gateway.registry.metrics.text(
            isDraining: gateway.registry.isDraining, server: gateway.server.statistics, process: ProcessFacts.now())
        completion(.text(text, type: MetricsText.contentType))
    }
}

/// The server that a gateway's endpoints answer for: it exists after them.
final class ServerReference: Sendable {
    /// Weak: the server holds its handler, which holds this.
    private struct Held { weak var server: HTTPServer? }

    private let held = Mutex(Held())

    /// What the server has counted; nil before its start and after its end.
    var statistics: ServerStatistics? { held.withLock(\.server)?.statistics }

    /// Names the server, once.
    func set(_ server: HTTPServer) { held.withLock { $0.server = server } }
}
