/// A client's half of the handshake: the request's bytes, and the check of the answer.
public struct WebSocketUpgradeRequest: Sendable, Hashable {
    /// The request, ready to be sent.
    public let bytes: [UInt8]
    private let accept: String
    private let subprotocols: [String]

    private static let reserved: Set<String> = ["host", "upgrade", "connection", "content-length", "transfer-encoding"]

    /// A request for `path` (with its query) on `host` (the `Host` value, with a port unless it is the scheme's own).
    ///
    /// `key` is 16 random bytes. `headers` are added as they are; those of the handshake itself are refused, and so is
    /// whatever could break out of its line: the thrown failure has the blame `.local`.
    public init(
        host: String, path: String, key: [UInt8], subprotocols: [String] = [], headers: HTTPFields = HTTPFields()
    ) throws(WebSocketHandshakeFailure) {
        guard key.count == 16 else { throw .invalidKey }
        guard !host.isEmpty, HTTPSyntax.isVisible(host.utf8), !host.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalidHost
        }
        guard path.utf8.first == UInt8(ascii: "/"), HTTPSyntax.isVisible(path.utf8),
            !path.utf8.contains(UInt8(ascii: "#"))
        else { throw .invalidPath }
        guard subprotocols.allSatisfy({ HTTPSyntax.isToken($0.utf8) }),
            Set(subprotocols).count == subprotocols.count
        else { throw .invalidSubprotocol }
        try Self.check(headers)
        let text = WebSocketKey.base64(key)
        var lines = ["GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Key: \(text)", "Sec-WebSocket-Version: 13"]
        if !subprotocols.isEmpty { lines.append("Sec-WebSocket-Protocol: " + subprotocols.joined(separator: ", ")) }
        lines += headers.all.map { "\($0.name): \($0.value)" }
        bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        accept = WebSocketKey.accept(for: text)
        self.subprotocols = subprotocols
    }

    private static func check(_ headers: HTTPFields) throws(WebSocketHandshakeFailure) {
        for (position, field) in headers.all.enumerated() {
            guard HTTPSyntax.isToken(field.name.utf8), field.value.utf8.allSatisfy(HTTPSyntax.isValueByte) else {
                throw .invalidHeader(position)
            }
            let name = field.name.lowercased()
            if reserved.contains(name) || name.hasPrefix("sec-websocket-") { throw .reservedHeader(field.name) }
        }
    }

    /// Checks a 101 answer and returns the subprotocol that the server chose; nil when it chose none.
    public func check(_ response: HTTPResponseHead) throws(WebSocketHandshakeFailure) -> String? {
        let fields = response.fields
        guard response.status == 101 else { throw .notSwitched }
        guard fields.contains("Upgrade", token: "websocket") else { throw .noUpgrade }
        guard fields.contains("Connection", token: "upgrade") else { throw .noConnection }
        guard fields.values("Sec-WebSocket-Accept") == [accept] else { throw .wrongAccept }
        guard fields.elements("Sec-WebSocket-Extensions").isEmpty else { throw .unofferedExtension }
        let chosen = fields.values("Sec-WebSocket-Protocol")
        guard let first = chosen.first else { return nil }
        guard chosen.count == 1, subprotocols.contains(first) else { throw .unofferedSubprotocol }
        return first
    }
}
