import GlassesDomain
import GlassesNet

extension GatewaySelection {
    /// What opens the connections; `embedded` is the pipeline in this process.
    func connector(embedded: RealtimeConnector) -> RealtimeConnector {
        switch provider {
        case .embedded: embedded
        case .remote(let endpoint, _): GatewayConnector.make(endpoint)
        case .unusable(let closure): .failing(closure)
        }
    }
}

extension Extentos {
    /// What opens connections to a gateway, as sessions use it; `connected` is called each time that TCP and TLS are agreed on.
    @_spi(ExtentosTools)
    public static func connector(
        to endpoint: GatewayEndpoint, connected: (@Sendable () -> Void)? = nil
    ) -> RealtimeConnector {
        do throws(ConnectionClosure) {
            _ = try GatewaySelection.address(of: endpoint)
            var options = GatewayConnectorOptions()
            options.connected = connected
            return GatewayConnector.make(endpoint, options: options)
        } catch {
            return .failing(error)
        }
    }
}

extension RealtimeConnector {
    /// A connector of which each connect fails.
    fileprivate static func failing(_ closure: ConnectionClosure) -> RealtimeConnector {
        RealtimeConnector(
            providerName: "gateway", defaultModel: nil, audioDestination: AudioDestination.nowhere.sentence,
            canCompose: false, connect: { _ in throw closure })
    }
}
