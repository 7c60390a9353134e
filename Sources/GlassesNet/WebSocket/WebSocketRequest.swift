import Foundation
import GlassesDomain
import GlassesWebSocket

/// What a WebSocket is opened with.
public struct WebSocketRequest: Sendable {
    /// Where to, `ws` or `wss`. Credentials in it are refused, a fragment is left out.
    public var url: URL
    /// Fields beside those of the handshake, such as `Authorization`.
    public var fields: HTTPFields
    /// The subprotocols that the server may choose from, in order of preference.
    public var subprotocols: [String]
    /// Trust and proxy.
    public var settings: NetworkSettings
    /// The bounds of the open connection; by default those of ``NetworkLimits``.
    public var limits: WebSocketLimits
    /// How long opening may take, from the name lookup to the accepted upgrade; 10 s by default.
    public var openTimeout: Duration
    /// Called on the network thread when TCP and TLS are agreed on and the upgrade begins; nil tells nobody. For diagnosis.
    public var connected: (@Sendable () -> Void)?

    /// A request.
    public init(
        url: URL, fields: HTTPFields = HTTPFields(), subprotocols: [String] = [],
        settings: NetworkSettings = NetworkSettings(), limits: WebSocketLimits = .client,
        openTimeout: Duration = NetworkLimits.open
    ) {
        self.url = url
        self.fields = fields
        self.subprotocols = subprotocols
        self.settings = settings
        self.limits = limits
        self.openTimeout = openTimeout
    }
}

extension WebSocketLimits {
    /// A client's bounds, from ``NetworkLimits``.
    public static var client: WebSocketLimits {
        var limits = WebSocketLimits(
            inboundMessage: NetworkLimits.inboundMessage, controlBytes: NetworkLimits.controlLane,
            audioBytes: NetworkLimits.audioLane, highWater: NetworkLimits.outboundHighWater)
        limits.audioAge = NetworkLimits.unsentAudio
        limits.pingInterval = NetworkLimits.pingInterval
        limits.pongTimeout = NetworkLimits.pongWait
        limits.close = NetworkLimits.close
        return limits
    }
}
