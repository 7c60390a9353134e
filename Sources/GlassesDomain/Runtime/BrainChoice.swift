import Foundation

/// What decides the answers of the pipeline in this process; a gateway brings its own brain.
///
/// ```swift
/// config.brain = .chat(url: URL(string: "unix:/run/llama.sock")!, model: "qwen3")
/// ```
public enum BrainChoice: Sendable, Hashable {
    /// What the environment says: the chat endpoint at `EXTENTOS_BRAIN_URL` with the model in `EXTENTOS_BRAIN_MODEL`, the key in
    /// `EXTENTOS_BRAIN_KEY` and, if it is set, the authorities in the file `EXTENTOS_BRAIN_CA`; without that URL, the rules.
    case auto
    /// The rules on this machine: no model, no key, no network. They call tools and write no prose.
    case rules
    /// An endpoint of the OpenAI chat API, with the rules behind it: while it does not answer they do, and the event `speech.fallback`
    /// of the kind `brain` says why. It is never silently something else: an endpoint that cannot be used at all is told the same way.
    case endpoint(BrainEndpoint)

    /// The endpoint at `url` with a key that never changes; see ``BrainEndpoint``.
    public static func chat(
        url: URL, model: String? = nil, key: String? = nil, authorities: String? = nil
    ) -> BrainChoice {
        .endpoint(BrainEndpoint(url: url, model: model, key: key, authorities: authorities))
    }
}

/// How a chat endpoint is reached. What is recognised of speech and what is written in the conversation goes there, audio does not.
public struct BrainEndpoint: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The base URL, such as `https://api.example.com/v1`, `http://127.0.0.1:8080` or `unix:/run/llama.sock`; see ``BrainAddress``.
    public var url: URL
    /// The model to ask for; nil leaves it to the endpoint, which has to have one of its own.
    public var model: String?
    /// The bearer token; nil sends none. It is never sent over a network without TLS, never logged and never told.
    public var key: String?
    /// A PEM file with the certificate authorities that are trusted instead of the system's; nil trusts the system's.
    public var authorities: String?
    /// Whether the model sees: pictures are sent to it. False by default: it is told what was measured of them.
    public var seesPictures: Bool

    /// A way to an endpoint.
    public init(
        url: URL, model: String? = nil, key: String? = nil, authorities: String? = nil, seesPictures: Bool = false
    ) {
        self.url = url
        self.model = model
        self.key = key
        self.authorities = authorities
        self.seesPictures = seesPictures
    }

    /// Names the host and nothing that may be secret.
    public var description: String { "the chat endpoint at \(url.host ?? url.path)" }

    /// Shows no key either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
