import GlassesDomain

/// Why an upgrade to a WebSocket cannot be asked for, or why its answer is not one.
public struct WebSocketHandshakeFailure: ExtentosErrorDescription, Sendable, Hashable {
    /// The machine-readable cause, such as `wrong_accept_key`.
    public let code: String
    /// Whether our request or the peer's answer is at fault.
    public let blame: Blame
    /// One sentence for a person; it holds no header value.
    public let message: String

    /// The sentence.
    public var description: String { message }

    private static func local(_ code: String, _ message: String) -> Self {
        Self(code: code, blame: .local, message: message)
    }

    private static func remote(_ code: String, _ message: String) -> Self {
        Self(code: code, blame: .remote, message: message + " Check that the URL names a WebSocket endpoint.")
    }

    static let invalidKey = local("invalid_key", "A WebSocket key has 16 bytes. Pass 16 random ones.")
    static let invalidHost = local(
        "invalid_host", "The host is empty or has characters that no host has. Correct the URL.")
    static let invalidPath = local(
        "invalid_path", "The path must begin with / and have visible ASCII only. Percent-encode the rest of the URL.")
    static func invalidHeader(_ position: Int) -> Self {
        local(
            "invalid_header",
            "Header \(position + 1) of the request has a name that is no token, or a line break or control character"
                + " in its value. Correct it.")
    }
    static func reservedHeader(_ name: String) -> Self {
        local("reserved_header", "The header \(name) belongs to the handshake itself. Leave it out.")
    }
    static let invalidSubprotocol = local(
        "invalid_subprotocol", "A subprotocol is not a token, or is offered twice. Correct the list.")

    static let ended = remote("handshake_ended", "The server closed the connection before its answer was complete.")
    static let headTooLong = remote("head_too_long", "The server's answer has a header above the limit.")
    static let tooManyHeaders = remote("too_many_headers", "The server's answer has too many header fields.")
    static let foldedHeader = remote("folded_header", "The server's answer folds a header over two lines.")
    static let malformedHeader = remote("malformed_header", "The server's answer has a malformed header.")
    static let malformedStatus = remote("malformed_status", "The server's answer is not HTTP/1.")
    static let notSwitched = remote("not_upgraded", "The server did not switch protocols.")
    static let noUpgrade = remote("missing_upgrade", "The server's answer does not upgrade to websocket.")
    static let noConnection = remote("missing_connection", "The server's answer lacks Connection: Upgrade.")
    static let wrongAccept = remote("wrong_accept_key", "The server's answer does not belong to our key.")
    static let unofferedSubprotocol = remote(
        "unoffered_subprotocol", "The server chose a subprotocol that was not offered.")
    static let unofferedExtension = remote(
        "unoffered_extension", "The server switched an extension on that was not offered.")
}
