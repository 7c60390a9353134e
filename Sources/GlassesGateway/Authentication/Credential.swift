import GlassesRealtime
import GlassesServer
import GlassesWebSocket

/// What a request presents as its key, and what it offers as subprotocols.
struct Credential {
    /// The subprotocol of the protocol itself.
    static let realtime = "realtime"
    private static let keyPrefix = "openai-insecure-api-key."

    /// The key; nil when the request presents none. Never logged and never sent anywhere.
    let key: String?
    /// The subprotocol to answer with: Opus if the client offers it, else `realtime`; nil when neither was offered. An entry with a key is
    /// never selected.
    let subprotocol: String?

    /// Whether the client takes and sends binary frames.
    var speaksOpus: Bool { subprotocol == OpusWire.subprotocol }

    /// Reads what `request` presents.
    ///
    /// A key counts in `Authorization: Bearer`, `api-key`, `x-api-key`, `x-goog-api-key`, or the subprotocol entry that
    /// browsers use, in this order. One in the query does not count: it would be in logs.
    init(_ request: HTTPRequest) {
        let offered = request.webSocket?.subprotocols ?? []
        subprotocol = [OpusWire.subprotocol, Self.realtime].first(where: offered.contains)
        let inProtocol = offered.first { $0.hasPrefix(Self.keyPrefix) }
        let inHeader = ["api-key", "x-api-key", "x-goog-api-key"].flatMap { request.headers.values($0) }
        key =
            request.headers.values("authorization").lazy.compactMap(Self.bearer).first
            ?? inHeader.first { !$0.isEmpty } ?? inProtocol.map { String($0.dropFirst(Self.keyPrefix.count)) }
    }

    private static func bearer(_ value: String) -> String? {
        let parts = value.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
