/// A client's request for an upgrade that a server may accept.
public struct WebSocketUpgradeOffer: Sendable, Hashable {
    /// The value of `Sec-WebSocket-Accept` in the 101 answer.
    public let accept: String
    /// The subprotocols offered, in the client's order; the answer may name one of them.
    public let subprotocols: [String]

    /// Checks the parts of a request that the protocol cares for; `Host`, `Origin` and tokens are the server's own.
    public init(method: String, fields: HTTPFields) throws(WebSocketUpgradeRefusal) {
        guard method == "GET" else { throw .notGet }
        guard fields.contains("Upgrade", token: "websocket") else { throw .noUpgrade }
        guard fields.contains("Connection", token: "upgrade") else { throw .noConnection }
        guard fields.values("Sec-WebSocket-Version") == ["13"] else { throw .version }
        let keys = fields.values("Sec-WebSocket-Key")
        guard keys.count == 1, WebSocketKey.isValid(keys[0]) else { throw .key }
        subprotocols = fields.elements("Sec-WebSocket-Protocol")
        guard subprotocols.allSatisfy({ HTTPSyntax.isToken($0.utf8) }) else { throw .subprotocol }
        accept = WebSocketKey.accept(for: keys[0])
    }
}
