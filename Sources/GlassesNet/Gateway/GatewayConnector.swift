import Foundation
import GlassesDomain
import GlassesWebSocket

/// Remote gateways, and every endpoint that speaks the OpenAI Realtime protocol, behind the connection port.
///
/// ```swift
/// let connector = GatewayConnector.make(GatewayEndpoint(url: url, token: { key }))
/// let connection = try await connector.connect(RealtimeRequest(model: "local"))
/// ```
public enum GatewayConnector {
    /// A connector whose connections are WebSockets on the network thread, each opened within 10 s, the token included.
    ///
    /// An endpoint that cannot be used makes a connector whose connections fail with the code `invalid_url`, `invalid_header`, or `insecure_url`
    /// when a token or a header field of the endpoint would go unencrypted over a network, which `options` can allow.
    public static func make(
        _ endpoint: GatewayEndpoint, options: GatewayConnectorOptions = GatewayConnectorOptions()
    ) -> RealtimeConnector {
        do throws(ConnectionClosure) {
            let address = try endpoint.checkedAddress()
            let link = GatewayLink(address: address, endpoint: endpoint, options: options)
            return RealtimeConnector(
                providerName: address.host, defaultModel: options.defaultModel,
                audioDestination: AudioDestination.gateway(address).sentence, canCompose: true
            ) { request in
                try await link.connect(request)
            }
        } catch {
            return RealtimeConnector(
                providerName: "gateway", defaultModel: options.defaultModel,
                audioDestination: AudioDestination.nowhere.sentence, canCompose: true
            ) { _ in
                throw error
            }
        }
    }
}

/// A coding of messages that a server may select.
public struct SubprotocolOffer: Sendable {
    /// The subprotocol's name, which is also what a server's ``SubprotocolOffer/header`` lists when it knows it.
    public let name: String
    /// Passes the messages of a connection whose server may have selected it.
    public let adapter: WebSocketAdapter

    /// The field of the answer to an upgrade that lists what a server would select.
    public static let header = "Extentos-Subprotocols"

    /// An offer.
    public init(name: String, adapter: @escaping WebSocketAdapter) {
        self.name = name
        self.adapter = adapter
    }
}

/// What can be set for a gateway's connections beside its endpoint.
public struct GatewayConnectorOptions: Sendable {
    /// The model that is reported when a request names none; nil when unknown.
    public var defaultModel: String?
    /// Header fields beside those of the handshake, the endpoint and `Authorization`; they hold no secrets.
    public var fields = HTTPFields()
    /// The subprotocols offered. Servers that know none leave the field out of their answer.
    public var subprotocols = ["realtime"]
    /// Whether a token may go over `ws://` to another machine, where everybody on the way can read it.
    public var allowsTokenInClearText = false
    /// The bounds of a connection.
    public var limits = WebSocketLimits.client
    /// How long opening may take, the token included; 10 s by default.
    public var openTimeout = NetworkLimits.open
    /// Called on the network thread each time that TCP and TLS are agreed on and the upgrade begins; nil tells nobody.
    public var connected: (@Sendable () -> Void)?

    /// Opens the connection of a session through `opener`, as often as it needs, and gives its messages to the receiver in the form
    /// of the realtime protocol: for endpoints that speak another dialect. nil passes messages as they are.
    public var adapter: WebSocketAdapter?
    /// The coding that is offered to the endpoint as its `GatewayEndpoint.audio` says; nil, the default, never offers one.
    public var opus: SubprotocolOffer?

    /// The defaults.
    public init() {}
}
