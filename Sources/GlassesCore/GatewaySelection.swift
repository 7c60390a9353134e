import Foundation
import GlassesDomain

/// Which gateway serves a ``GatewayChoice``, and why.
struct GatewaySelection: Sendable {
    /// What serves the sessions.
    enum Provider: Sendable {
        /// The pipeline in this process.
        case embedded
        /// A gateway.
        case remote(GatewayEndpoint, GatewayAddress)
        /// Nothing: each connect fails with this.
        case unusable(ConnectionClosure)
    }

    /// The variables that `.auto` reads.
    enum Variable {
        static let url = "EXTENTOS_GATEWAY_URL"
        static let token = "EXTENTOS_GATEWAY_TOKEN"
        static let authorities = "EXTENTOS_GATEWAY_CA"
        static let audio = "EXTENTOS_GATEWAY_AUDIO"
    }

    /// What serves the sessions.
    let provider: Provider
    /// Why it was chosen: `explicit_config`, `environment`, or `fallback_default` for `.auto` without a URL.
    let source: String

    /// The selection for `choice`; an unset or empty variable of `environment` counts as absent.
    init(_ choice: GatewayChoice, environment: [String: String]) {
        switch choice {
        case .embedded: (provider, source) = (.embedded, "explicit_config")
        case .remote(let endpoint): (provider, source) = (Self.provider(for: endpoint), "explicit_config")
        case .auto:
            guard let url = Self.value(Variable.url, in: environment) else {
                (provider, source) = (.embedded, "fallback_default")
                return
            }
            (provider, source) = (Self.provider(url: url, environment), "environment")
        }
    }

    /// Whether the pipeline in this process serves.
    var isEmbedded: Bool { if case .embedded = provider { true } else { false } }

    /// Where the microphone's audio goes.
    var destination: AudioDestination {
        switch provider {
        case .embedded: .thisMachine
        case .remote(_, let address): .gateway(address)
        case .unusable: .nowhere
        }
    }

    /// Why no session can be served; nil when one can.
    var problem: ConnectionClosure? { if case .unusable(let closure) = provider { closure } else { nil } }

    private static func provider(for endpoint: GatewayEndpoint) -> Provider {
        do throws(ConnectionClosure) { return .remote(endpoint, try address(of: endpoint)) } catch {
            return .unusable(error)
        }
    }

    /// The endpoint's address, after its other settings were checked.
    static func address(of endpoint: GatewayEndpoint) throws(ConnectionClosure) -> GatewayAddress {
        try check(endpoint.proxy)
        return try endpoint.checkedAddress()
    }

    private static func provider(url text: String, _ environment: [String: String]) -> Provider {
        do throws(ConnectionClosure) {
            let address = try GatewayAddress(text: text)
            let token = value(Variable.token, in: environment)
            if let token { try GatewayToken.check(token, from: Variable.token) }
            var endpoint = GatewayEndpoint(
                url: address.url, token: token.map { token in { @Sendable () async throws -> String in token } },
                authorities: value(Variable.authorities, in: environment))
            if let name = value(Variable.audio, in: environment) { endpoint.audio = try audio(name) }
            return .remote(endpoint, address)
        } catch {
            if error.code == audioCode { return .unusable(error) }
            let message = error.code == GatewayToken.errorCode ? error.message : "\(Variable.url): \(error.message)"
            return .unusable(ConnectionClosure(code: error.code, message: message))
        }
    }

    private static let audioCode = "invalid_audio"

    private static func audio(_ name: String) throws(ConnectionClosure) -> GatewayAudio {
        if let audio = GatewayAudio(rawValue: name) { return audio }
        throw ConnectionClosure(
            code: audioCode, message: "\(Variable.audio) names no way of audio. Set it to automatic, opus or pcm.")
    }

    private static func check(_ proxy: GatewayProxy) throws(ConnectionClosure) {
        guard case .url(let url) = proxy else { return }
        let isUsable = ["http", "https"].contains(url.scheme?.lowercased()) && url.host?.isEmpty == false
        guard isUsable else {
            throw ConnectionClosure(
                code: "invalid_url",
                message: "The proxy's URL is not usable. Give one such as http://proxy.example:3128.")
        }
    }

    private static func value(_ name: String, in environment: [String: String]) -> String? {
        let text = environment[name]?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text?.isEmpty == false ? text : nil
    }
}

/// What a bearer token may consist of.
enum GatewayToken {
    /// The code of a token that cannot be sent.
    static let errorCode = "invalid_token"
    /// Longer than any token in use; keeps the request's header within what servers take.
    private static let limit = 8_192

    /// Throws when `token` cannot stand in a header; `origin` names where it comes from.
    static func check(_ token: String, from origin: String) throws(ConnectionClosure) {
        let isSendable = token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard !token.isEmpty, token.utf8.count <= limit, isSendable else {
            throw ConnectionClosure(
                code: errorCode,
                message: "The token from \(origin) cannot be sent: it is empty, too long, or holds spaces or other "
                    + "characters that tokens have not. Set it again.")
        }
    }
}
