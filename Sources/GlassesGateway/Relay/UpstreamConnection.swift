import Foundation
import GlassesDialects
import GlassesDomain
import GlassesNet
import GlassesRealtime
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
        let answer: @Sendable (Result<any WebSocketChannel, ConnectionClosure>) -> Void = { result in
            switch result {
            case .failure(let closure):
                registry.refused(self.record, self.redaction.redacted(closure))
                registry.end(self.record, closeCode: nil)
                completion(UpstreamFailure.response(closure))
            case .success(let channel):
                self.upstreamOpened(channel)
                completion(.upgrade(self.upgrade(subprotocol: subprotocol, budget: budget)))
            }
        }
        switch upstream.dialect {
        case .openAI where upstream.capabilities.nestedVoice:
            connect(url, UpstreamSide(of: self), completion, answer) { $0 }
        case .openAI:
            let session = RewrittenSession(
                client: UpstreamSide(of: self), toServer: TopLevelVoice.clientMessage,
                fromServer: TopLevelVoice.serverMessage)
            connect(url, session, completion, answer) { session.channel(to: $0) }
        case .beta:
            let beta = BetaSession(client: UpstreamSide(of: self))
            connect(url, beta, completion, answer) { beta.channel(to: $0) }
        case .gemini: connectGemini(url, completion, answer)
        }
    }

    private func connect(
        _ url: URL, _ receiver: any WebSocketReceiver, _ completion: HTTPCompletion,
        _ answer: @escaping @Sendable (Result<any WebSocketChannel, ConnectionClosure>) -> Void,
        _ adapted: @escaping @Sendable (any WebSocketChannel) -> any WebSocketChannel
    ) {
        let opening = WebSocketClient.open(request(url), receiver: receiver) { result in
            answer(result.map { adapted($0.channel) }.mapError(\.closure))
        }
        completion.whenAbandoned { opening.cancel() }
    }

    /// A session of Gemini Live may have several sockets, one after another.
    private func connectGemini(
        _ url: URL, _ completion: HTTPCompletion,
        _ answer: @escaping @Sendable (Result<any WebSocketChannel, ConnectionClosure>) -> Void
    ) {
        let request = request(url)
        let opening = Task { [model = upstream.model, receiver = UpstreamSide(of: self)] in
            do {
                try await GeminiLive.connect(model: model, receiver: receiver) { receiver in
                    do {
                        return try await WebSocketClient.open(request, receiver: receiver).channel
                    } catch let failure as WebSocketOpenFailure {
                        throw failure.closure
                    }
                } opened: { channel in
                    answer(.success(channel))
                }
            } catch {
                answer(.failure((error as? ConnectionClosure) ?? UpstreamFailure.abandoned))
            }
        }
        completion.whenAbandoned { opening.cancel() }
    }

    private func upgrade(subprotocol: String?, budget: InboundBudget) -> WebSocketUpgrade {
        WebSocketUpgrade(
            subprotocol: subprotocol, headers: GatewayLimits.upgradeHeaders, budget: budget,
            abandoned: { self.abandon() }
        ) { socket in
            let client = GatewaySocket(socket, self.record)
            let receiver = client.receiver(for: self)
            self.clientOpened(client.channel)
            return receiver
        }
    }

    /// The operator's key and nothing of the client.
    private func request(_ url: URL) -> WebSocketRequest {
        var fields = HTTPFields(upstreamKey: upstream.key, in: upstream.keyHeader)
        for header in upstream.headers { fields.append(name: header.name, value: header.value) }
        if upstream.dialect == .beta { fields.append(name: "OpenAI-Beta", value: "realtime=v1") }
        return WebSocketRequest(
            url: url, fields: fields, subprotocols: upstream.dialect == .gemini ? [] : [Credential.realtime],
            settings: NetworkSettings(caFile: upstream.certificateAuthority))
    }
}
