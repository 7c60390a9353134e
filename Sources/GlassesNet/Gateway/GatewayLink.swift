import Foundation
import GlassesDomain
import GlassesWebSocket
import Synchronization

/// One gateway, and how a connection to it is made.
struct GatewayLink: Sendable {
    let address: GatewayAddress
    let endpoint: GatewayEndpoint
    let options: GatewayConnectorOptions
    /// What the endpoint has said of itself, over all its connections.
    private let knowledge = GatewayKnowledge()

    init(address: GatewayAddress, endpoint: GatewayEndpoint, options: GatewayConnectorOptions) {
        self.address = address
        self.endpoint = endpoint
        self.options = options
    }

    func connect(_ request: RealtimeRequest) async throws -> any RealtimeConnection {
        let inbound = InboundMessages()
        guard let adapter = options.adapter ?? (offersOpus ? options.opus?.adapter : nil) else {
            return GatewayConnection(channel: try await open(request, inbound), inbound: inbound)
        }
        let opener: WebSocketOpener = { receiver in try await open(request, receiver) }
        return GatewayConnection(channel: try await adapter(request, opener, inbound), inbound: inbound)
    }

    private func open(
        _ request: RealtimeRequest, _ receiver: any WebSocketReceiver
    ) async throws -> any WebSocketChannel {
        let start = MonotonicTime.now
        let fields = try await authorization()
        let left = options.openTimeout - start.duration(to: .now)
        do {
            let opening = webSocketRequest(request, fields, timeout: left)
            let opened = try await WebSocketClient.open(opening, receiver: receiver)
            knowledge.learn(opened.fields)
            return opened.channel
        } catch let failure as WebSocketOpenFailure {
            throw failure.closure
        }
    }

    /// Whether the endpoint may be offered a subprotocol that most have never heard of.
    private var offersOpus: Bool {
        guard let offer = options.opus, options.adapter == nil, address.dialect == .openAI else { return false }
        switch endpoint.audio {
        case .automatic: return knowledge.knows(offer.name)
        case .opus: return true
        case .pcm: return false
        }
    }

    private var subprotocols: [String] {
        guard offersOpus, let offer = options.opus else { return options.subprotocols }
        return options.subprotocols + [offer.name]
    }

    /// The configured fields, and the token if there is one.
    func authorization() async throws -> HTTPFields {
        var fields = options.fields
        for header in endpoint.headers { fields.append(name: header.name, value: header.value) }
        let token = try await token().flatMap { $0.isEmpty ? nil : $0 }
        guard token != nil || !endpoint.headers.isEmpty else { return fields }
        guard address.isEncrypted || address.isLoopback || options.allowsTokenInClearText else {
            throw ConnectionClosure(Self.insecure(address))
        }
        guard let token else { return fields }
        let field = field(of: token)
        fields.append(name: field.name, value: field.value)
        return fields
    }

    /// Whom the endpoint trusts, and which way it goes.
    var network: NetworkSettings {
        NetworkSettings(caFile: endpoint.authorities, proxy: ProxyChoice(endpoint.proxy))
    }

    /// Where the token stands: Gemini Live tells keys from tokens for one session by their beginning.
    private func field(of token: String) -> (name: String, value: String) {
        switch (endpoint.tokenField, address.dialect) {
        case (.header(let name), _): (name, token)
        case (.bearer, _), (nil, .openAI): ("Authorization", "Bearer \(token)")
        case (nil, .gemini):
            token.hasPrefix("auth_tokens/") ? ("Authorization", "Token \(token)") : ("x-goog-api-key", token)
        }
    }

    private func webSocketRequest(
        _ request: RealtimeRequest, _ fields: HTTPFields, timeout: Duration
    ) -> WebSocketRequest {
        var opening = WebSocketRequest(
            url: url(model: request.model), fields: fields, subprotocols: subprotocols, settings: network,
            limits: options.limits, openTimeout: timeout)
        opening.connected = options.connected
        return opening
    }

    /// The endpoint with `model` in its query, unless the configured URL names one itself, or a deployment, or the dialect names it elsewhere.
    func url(model: String?) -> URL {
        guard address.dialect == .openAI, let model,
            var parts = URLComponents(url: address.url, resolvingAgainstBaseURL: true)
        else { return address.url }
        var items = parts.queryItems ?? []
        guard !items.contains(where: { ["model", "deployment"].contains($0.name) }) else { return address.url }
        items.append(URLQueryItem(name: "model", value: model))
        parts.queryItems = items
        return parts.url ?? address.url
    }

    /// Asks for the token, for as long as opening may take.
    private func token() async throws -> String? {
        guard let source = endpoint.token else { return nil }
        do {
            return try await FirstAnswer.of(source, within: options.openTimeout)
        } catch is CancellationError {
            throw CancellationError()
        } catch is FirstAnswer.TimedOut {
            throw ConnectionClosure(
                code: "token_timeout", message: "The token for \(address.displayName) did not come in time. Try again.")
        } catch {
            // The error is the app's and may hold secrets.
            throw ConnectionClosure(
                code: "token_unavailable",
                message: "The token for \(address.displayName) could not be fetched. See the app's own error.")
        }
    }

    private static func insecure(_ address: GatewayAddress) -> NetworkError {
        NetworkError(
            .insecureURL,
            "The token, or a header field, would go unencrypted to \(address.displayName), where others can read it. Use wss://."
        )
    }
}

/// Which subprotocols an endpoint has said that it selects.
final class GatewayKnowledge: Sendable {
    private let names = Mutex<[String]>([])

    /// The last answer counts: a gateway may be replaced by an older one.
    func learn(_ fields: HTTPFields) {
        let listed = fields.elements(SubprotocolOffer.header)
        names.withLock { $0 = listed }
    }

    func knows(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

extension ProxyChoice {
    /// The same choice as in the configuration.
    init(_ proxy: GatewayProxy) {
        switch proxy {
        case .environment: self = .environment
        case .none: self = .none
        case .url(let url): self = .fixed(Proxy(url: url.absoluteString))
        }
    }
}
