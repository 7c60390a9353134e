import CShims
import GlassesDomain
import GlassesServer

/// A gateway: realtime sessions over WebSocket for other programs and machines, served by the pipeline or relayed to
/// upstreams.
///
/// ```swift
/// let gateway = try Gateway.start(configuration, clock: clock)
/// print(gateway.baseURL)  // ws://127.0.0.1:8080/v1
/// await gateway.shutDown()
/// ```
///
/// It lives until ``shutDown()``. Members may be called from any task.
public final class Gateway: Sendable {
    /// The URL that clients are given as their base, such as `ws://127.0.0.1:8080/v1`.
    public let baseURL: String
    private let server: HTTPServer
    let registry: SessionRegistry
    private let drain: Duration
    /// After the close of every session, how long the peers' answers are waited for.
    private static let closing = Duration.seconds(3)

    private init(server: HTTPServer, registry: SessionRegistry, baseURL: String, drain: Duration) {
        self.server = server
        self.registry = registry
        self.baseURL = baseURL
        self.drain = drain
    }

    /// Starts to listen; throws ``GatewayError``. From then on the process leaves no core dump and no other process of
    /// its user can attach to it, since it holds keys.
    public static func start(
        _ configuration: GatewayConfiguration, clock: ClockPort
    ) throws(GatewayError) -> Gateway {
        if let objection = configuration.objection { throw objection }
        cshims_forbid_dumps()
        // A session has the client's socket, under TLS a pair more, and in a relay the upstream's.
        DescriptorLimit.raise(to: 256 + 4 * configuration.maximumSessions)
        let parts = GatewayParts(configuration: configuration, clock: clock)
        var settings = configuration.server
        // Room for the sessions, and for the plain requests beside them.
        settings.limits.connections = configuration.maximumSessions + 256
        // A chat takes longer than the server's bound; an upstream that is too slow is given up before it is reached.
        settings.limits.answerTime = configuration.chatTime + configuration.answerMargin
        settings.limits.outboundHighWater = GatewayLimits.outboundHighWater
        let server: HTTPServer
        do {
            server = try HTTPServer.start(configuration: settings, handler: router(parts))
        } catch {
            throw GatewayError(error)
        }
        parts.server.set(server)
        let scheme = settings.tls == nil ? "ws" : "wss"
        return Gateway(
            server: server, registry: parts.registry, baseURL: "\(scheme)://\(server.address)/v1",
            drain: configuration.drain)
    }

    /// Ends in order: new sessions are refused, running ones may go on for a while, then they are closed with 1001 and
    /// the server stops. It takes at most the configured time and 5 s. Call it once.
    public func shutDown() async {
        registry.startDraining()
        await registry.waitUntilEmpty(atMost: drain)
        registry.closeAll()
        await server.drain(within: Self.closing)
    }

    private static func router(_ parts: GatewayParts) -> HTTPRouter {
        let realtime = RealtimeEndpoint(gateway: parts)
        let models = ModelsEndpoint(gateway: parts)
        return HTTPRouter([
            .init("GET", "/v1/realtime", realtime),
            // Where clients that believe to talk to Azure connect.
            .init("GET", "/openai/v1/realtime", realtime),
            .init("GET", "/openai/realtime", realtime),
            .init("GET", "/ws/{method}", GeminiEndpoint(gateway: parts)),
            .init("POST", "/v1/realtime/client_secrets", ClientSecretsEndpoint(form: .clientSecrets, gateway: parts)),
            .init("POST", "/v1/realtime/sessions", ClientSecretsEndpoint(form: .legacySession, gateway: parts)),
            .init("GET", "/v1/models", models),
            .init("GET", "/v1/models/{model}", models),
            .init("POST", "/v1/chat/completions", ChatEndpoint(gateway: parts)),
            .init("GET", "/v1/memory", MemoryEndpoint(gateway: parts)),
            .init("PUT", "/v1/memory", MemoryEndpoint(gateway: parts)),
            .init("GET", "/healthz", HealthEndpoint(gateway: parts)),
            .init("GET", "/metrics", MetricsEndpoint(gateway: parts)),
        ])
    }
}
