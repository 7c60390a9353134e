import GlassesDialects
import GlassesDomain
import GlassesNet

extension GatewaySelection {
    /// What opens the connections; `embedded` is the pipeline in this process.
    func connector(embedded: RealtimeConnector) -> RealtimeConnector {
        switch provider {
        case .embedded: embedded
        case .remote(let endpoint, let address): .remote(endpoint, address, GatewayConnectorOptions())
        case .unusable(let closure): .failing(closure)
        }
    }
}

extension GatewaySelection {
    /// The gateway's model that writes; nil where rules have to do.
    var chat: ChatPort? {
        guard case .remote(let endpoint, _) = provider else { return nil }
        // The address was checked when the gateway was chosen, so no error is hidden here.
        do { return try GatewayChat.make(endpoint) } catch { return nil }
    }
}

extension Extentos {
    /// What opens connections to a gateway, as sessions use it; `connected` is called each time that TCP and TLS are agreed on.
    @_spi(ExtentosTools)
    public static func connector(
        to endpoint: GatewayEndpoint, connected: (@Sendable () -> Void)? = nil
    ) -> RealtimeConnector {
        do throws(ConnectionClosure) {
            let address = try GatewaySelection.address(of: endpoint)
            var options = GatewayConnectorOptions()
            options.connected = connected
            return .remote(endpoint, address, options)
        } catch {
            return .failing(error)
        }
    }
}

extension RealtimeConnector {
    /// A connector to an endpoint in its own dialect.
    fileprivate static func remote(
        _ endpoint: GatewayEndpoint, _ address: GatewayAddress, _ options: GatewayConnectorOptions
    ) -> RealtimeConnector {
        var options = options
        switch address.dialect {
        case .openAI:
            options.adapter = RealtimeVariants.adapter(for: endpoint.capabilities)
            options.opus = SubprotocolOffer(name: OpusClientSession.subprotocol, adapter: OpusClientSession.adapter)
        case .gemini:
            options.subprotocols = []
            options.adapter = GeminiLive.adapter
        }
        var connector = GatewayConnector.make(endpoint, options: options)
        switch address.dialect {
        case .openAI: connector.adopt(endpoint.capabilities)
        // A Gemini Live server answers each turn by itself, and tells by itself when it goes away.
        case .gemini: connector.leavesTurnsToClient = false
        }
        return connector
    }

    /// Says of the connector what the endpoint has.
    private mutating func adopt(_ capabilities: RealtimeCapabilities) {
        self.capabilities = capabilities
        leavesTurnsToClient = capabilities.leavesTurnsToClient
        sessionCeiling = capabilities.ceilingMinutes.map { .seconds(60 * max(1, $0)) }
    }

    /// A connector of which each connect fails.
    fileprivate static func failing(_ closure: ConnectionClosure) -> RealtimeConnector {
        RealtimeConnector(
            providerName: "gateway", defaultModel: nil, audioDestination: AudioDestination.nowhere.sentence,
            canCompose: false, connect: { _ in throw closure })
    }
}
