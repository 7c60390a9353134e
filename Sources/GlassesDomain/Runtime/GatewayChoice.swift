import Foundation

/// Which gateway serves assistant sessions.
///
/// ```swift
/// config.gateway = .url(URL(string: "wss://gateway.example/v1")!, token: { try await account.freshToken() })
/// ```
public enum GatewayChoice: Sendable {
    /// What the environment says: the gateway at `EXTENTOS_GATEWAY_URL` with the token in `EXTENTOS_GATEWAY_TOKEN` and, if it is
    /// set, the authorities in the file `EXTENTOS_GATEWAY_CA`; without that URL, the pipeline in this process. A value that is not
    /// usable never falls back to something else: waking fails with the code `network_error` and a sentence that names the variable.
    case auto
    /// The pipeline in this process: no account, no key, no network.
    case embedded
    /// A gateway, or any endpoint that speaks the OpenAI Realtime protocol or Gemini Live.
    case remote(GatewayEndpoint)

    /// The gateway at `base`, with a token that is asked for at each connection; see ``GatewayEndpoint``.
    public static func url(
        _ base: URL, token: @escaping @Sendable () async throws -> String, authorities: String? = nil,
        proxy: GatewayProxy = .environment, headers: [GatewayHeader] = [], capabilities: RealtimeCapabilities = .openAI
    ) -> GatewayChoice {
        .remote(
            GatewayEndpoint(
                url: base, token: token, authorities: authorities, proxy: proxy, headers: headers,
                capabilities: capabilities))
    }

    /// The gateway at `base`, with a token that never changes.
    public static func url(
        _ base: URL, token: String, authorities: String? = nil, proxy: GatewayProxy = .environment,
        headers: [GatewayHeader] = [], capabilities: RealtimeCapabilities = .openAI
    ) -> GatewayChoice {
        .url(
            base, token: { token }, authorities: authorities, proxy: proxy, headers: headers, capabilities: capabilities
        )
    }

    /// The gateway at `base`, which asks for no token, or for one that is among `headers`.
    public static func url(
        _ base: URL, authorities: String? = nil, proxy: GatewayProxy = .environment, headers: [GatewayHeader] = [],
        capabilities: RealtimeCapabilities = .openAI
    ) -> GatewayChoice {
        .remote(
            GatewayEndpoint(
                url: base, authorities: authorities, proxy: proxy, headers: headers, capabilities: capabilities))
    }
}

/// How a gateway is reached.
public struct GatewayEndpoint: Sendable, CustomStringConvertible {
    /// The base URL, such as `wss://gateway.example/v1`; see ``GatewayAddress`` for what is taken.
    public var url: URL
    /// Gives the bearer token: called before each connection, on no particular thread, within the 10 s that opening may take. After
    /// a 401 it is called once more, so that it can give a fresh one. Its errors fail the attempt and are never shown word for word.
    /// nil sends none.
    public var token: (@Sendable () async throws -> String)?
    /// A PEM file with the certificate authorities that are trusted instead of the system's; nil trusts the system's. It is read at
    /// each connection.
    public var authorities: String?
    /// The proxy between here and the gateway.
    public var proxy: GatewayProxy
    /// What the endpoint speaks; nil takes it from the URL, whose path ends in `BidiGenerateContent` for Gemini Live.
    public var dialect: RealtimeDialect?
    /// Where the token stands; nil puts it where the dialect wants it: `Authorization: Bearer`, for Gemini Live `x-goog-api-key`.
    public var tokenField: GatewayTokenField?
    /// Header fields of each request beside the token's; a value may be a key. ``GatewayHeader`` says what can be sent.
    public var headers: [GatewayHeader]
    /// What the endpoint has of the OpenAI Realtime protocol; for Gemini Live of no meaning.
    public var capabilities: RealtimeCapabilities

    /// How audio travels; ``GatewayAudio/automatic`` by default.
    public var audio = GatewayAudio.automatic

    /// A way to a gateway.
    public init(
        url: URL, token: (@Sendable () async throws -> String)? = nil, authorities: String? = nil,
        proxy: GatewayProxy = .environment, dialect: RealtimeDialect? = nil, tokenField: GatewayTokenField? = nil,
        headers: [GatewayHeader] = [], capabilities: RealtimeCapabilities = .openAI
    ) {
        self.url = url
        self.token = token
        self.authorities = authorities
        self.proxy = proxy
        self.dialect = dialect
        self.tokenField = tokenField
        self.headers = headers
        self.capabilities = capabilities
    }

    /// Names the host and nothing that may be secret.
    public var description: String { "the gateway at \(url.host ?? "no host")" }
}

/// How audio travels between here and an endpoint of the OpenAI protocol.
public enum GatewayAudio: String, Sendable, Hashable, CaseIterable {
    /// As base64 PCM, until the endpoint has said in an answer to an earlier connection that it takes Opus; from the next connection on as
    /// ``opus``. Nothing unknown is ever offered to an endpoint that did not ask for it.
    case automatic
    /// The subprotocol `extentos.opus.v1` is offered from the first connection on: an endpoint that selects it gets and sends Opus, a
    /// fourteenth of the bytes; with every other one nothing changes.
    case opus
    /// Always as base64 PCM.
    case pcm
}

/// Whether an HTTP proxy lies between here and a gateway.
public enum GatewayProxy: Sendable, Hashable, CustomStringConvertible {
    /// The one that `https_proxy`, `http_proxy` or `all_proxy` names, unless `no_proxy` excepts the gateway's host.
    case environment
    /// None, whatever the environment says.
    case none
    /// This one, such as `http://user:password@proxy.example:3128`; the password is percent-encoded where it must be.
    case url(URL)

    /// Names the proxy's host and not who we are to it.
    public var description: String {
        switch self {
        case .environment: "the environment's proxy"
        case .none: "no proxy"
        case .url(let url): "the proxy at \(url.host ?? "no host")"
        }
    }
}
