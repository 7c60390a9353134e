import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesWebSocket

extension RelaySession {
    /// Connects to the upstream and answers the client's request only then: with the upgrade, or with why there is
    /// none.
    func open(subprotocol: String?, budget: InboundBudget, registry: SessionRegistry, completion: HTTPCompletion) {
        guard let url = URL(string: upstream.url) else {
            // The address was read by the same parser when the gateway started.
            registry.end(record, closeCode: nil)
            return completion.refuse(
                .error(502, code: "upstream_unreachable", message: "The upstream has no usable address."))
        }
        let opening = WebSocketClient.open(request(url), receiver: UpstreamSide(of: self)) { result in
            switch result {
            case .failure(let failure):
                registry.refused(self.record, by: self.upstream, failure.closure)
                registry.end(self.record, closeCode: nil)
                completion(UpstreamFailure.response(failure.closure))
            case .success(let opened):
                self.upstreamOpened(opened.channel)
                completion(.upgrade(self.upgrade(subprotocol: subprotocol, budget: budget)))
            }
        }
        completion.whenAbandoned { opening.cancel() }
    }

    private func upgrade(subprotocol: String?, budget: InboundBudget) -> WebSocketUpgrade {
        WebSocketUpgrade(subprotocol: subprotocol, budget: budget, abandoned: { self.abandon() }) { client in
            self.clientOpened(client)
            return self
        }
    }

    /// The operator's key and nothing of the client.
    private func request(_ url: URL) -> WebSocketRequest {
        var fields = HTTPFields()
        fields.append(name: "User-Agent", value: "extentos-gateway")
        if let key = upstream.key {
            switch upstream.keyHeader {
            case .authorization: fields.append(name: "Authorization", value: "Bearer \(key)")
            case .apiKey: fields.append(name: "api-key", value: key)
            }
        }
        return WebSocketRequest(
            url: url, fields: fields, subprotocols: [Credential.realtime],
            settings: NetworkSettings(caFile: upstream.certificateAuthority))
    }
}
