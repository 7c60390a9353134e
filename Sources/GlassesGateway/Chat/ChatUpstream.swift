/// An endpoint of the chat API that requests are relayed to.
struct ChatUpstream: Sendable, Hashable {
    /// Where requests go, `https`, or `http` where that is safe.
    let url: String
    /// The host for people and logs.
    let host: String
    /// Its own name for the model.
    let model: String
    /// The operator's key; nil when it needs none. Never logged and never told to a client.
    let key: String?
    let keyHeader: Upstream.KeyHeader
    /// A file with certificates to trust instead of the system's.
    let certificateAuthority: String?
}

/// The chat models of a gateway by the names that clients use.
struct ChatUpstreams: Sendable, Hashable {
    let models: [String: ChatUpstream]
    /// The model for clients that name none, or one that is not listed.
    let defaultModel: String?
}
