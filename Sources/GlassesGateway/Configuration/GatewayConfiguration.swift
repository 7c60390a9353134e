import GlassesPipeline
import GlassesServer

/// Everything that a gateway is told at its start.
public struct GatewayConfiguration: Sendable {
    /// Where it listens, the names it answers to, the web origins that may use it, and its certificate. The bounds are
    /// set from those of the gateway.
    public var server: ServerConfiguration
    /// The tokens of its clients; nil lets everyone on this machine in, which is refused with upstreams or beyond
    /// loopback.
    public var tokens: GatewayTokens?
    /// The endpoints that it relays to; nil serves the pipeline only.
    public var upstreams: Upstreams?
    /// The folder for what clients let the gateway remember of their users, mode 0700; nil remembers nothing.
    public var memoryFolder: String?
    /// The engines of the pipeline.
    public var engines: PipelineEngines
    /// Sessions at once, at least 1.
    public var maximumSessions = 1_024
    /// Sessions of one token at once; nil means no other bound than ``maximumSessions``.
    public var maximumSessionsPerToken: Int?
    /// How long a session of the pipeline may last.
    public var sessionLength = Duration.seconds(3_600)
    /// How long running sessions may go on after ``Gateway/shutDown()``.
    public var drain = Duration.seconds(5)
    /// How long an upstream may take for a chat answer, or for the beginning of one in pieces.
    var chatTime = GatewayLimits.chatTime
    /// By how much longer the server waits for an answer to a plain request.
    var answerMargin = Duration.seconds(10)
    /// Is told what happens, on any thread; it returns at once.
    public var onEvent: (@Sendable (GatewayEvent) -> Void)?

    /// A configuration with the defaults.
    public init(server: ServerConfiguration, engines: PipelineEngines) {
        self.server = server
        self.engines = engines
    }

    /// Why a gateway must not start like this; nil when it may.
    var objection: GatewayError? {
        if tokens == nil, upstreams != nil {
            return GatewayError(
                code: "token_required",
                message: "A gateway with upstreams spends the operator's money: give tokens by --token-file or "
                    + "\(GatewayTokens.environmentVariable).")
        }
        if tokens == nil, !server.listen.isLoopback {
            return GatewayError(
                code: "token_required",
                message: "\(server.listen) is reachable from other machines: give tokens by --token-file or "
                    + "\(GatewayTokens.environmentVariable), or listen on 127.0.0.1.")
        }
        return nil
    }
}
