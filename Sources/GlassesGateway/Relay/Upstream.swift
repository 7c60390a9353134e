import GlassesDomain

/// An endpoint that sessions are relayed to.
struct Upstream: Sendable, Hashable {
    /// How the endpoint takes the operator's key.
    enum KeyHeader: String, Sendable, Hashable, CaseIterable {
        /// `Authorization: Bearer KEY`.
        case authorization
        /// `api-key: KEY`, as Azure takes it.
        case apiKey = "api-key"
        /// `x-goog-api-key: KEY`, as Gemini Live takes it.
        case googleKey = "x-goog-api-key"
    }

    /// What the endpoint speaks; clients of the gateway speak the OpenAI protocol to all of them.
    enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// The OpenAI Realtime protocol; its messages pass as they are.
        case openAI = "openai"
        /// The protocol's beta form, which some servers still have.
        case beta
        /// Gemini Live.
        case gemini
    }

    /// What an endpoint may lack. Client events that it does not know the gateway answers itself with an `error` event.
    struct Capabilities: Sendable, Hashable {
        /// Whether it knows `conversation.item.truncate`.
        var truncate = true
        /// Whether it knows `conversation.item.retrieve`.
        var retrieve = true
        /// Whether it knows `conversation.item.delete`.
        var delete = true
        /// Whether `response.cancel` may name its answer; the name is left out otherwise.
        var cancelByName = true
        /// Whether a session's voice and turn detection stand in `audio`; they are moved to its top otherwise.
        var nestedVoice = true
    }

    /// Where it is, with its path and the model in its query; `wss`, or `ws` where that is safe.
    let url: String
    /// The host for people and logs.
    let host: String
    /// Its own name for the model.
    let model: String
    /// The operator's key; nil when it needs none. Never logged and never told to a client.
    let key: String?
    let keyHeader: KeyHeader
    /// A file with certificates to trust instead of the system's.
    let certificateAuthority: String?
    let capabilities: Capabilities
    var dialect = Dialect.openAI
    /// Header fields of each request.
    var headers: [GatewayHeader] = []
    /// Those of their values that are secrets.
    var headerSecrets: [String] = []
}

/// The endpoints of a gateway by the model names that clients use.
public struct Upstreams: Sendable, Hashable {
    let models: [String: Upstream]
    /// The model for clients that name none, or one that is not listed; nil when those get the `local` model or a
    /// refusal.
    let defaultModel: String?
    /// The endpoints of the chat API; nil when there are none.
    var chat: ChatUpstreams?

    /// The names that clients may use, in order.
    public var modelNames: [String] { models.keys.sorted() }
    /// The hosts that chats go to, in order.
    public var chatHosts: [String] { Set(chat?.models.values.map(\.host) ?? []).sorted() }
    /// The hosts that audio of relayed sessions goes to, in order.
    public var hosts: [String] { Set(models.values.map(\.host)).sorted() }
}
