import GlassesDomain

/// The HTTP answer to a request that is no valid upgrade.
public struct WebSocketUpgradeRefusal: ExtentosErrorDescription, Sendable, Hashable {
    /// The HTTP status: 400, 405 or 426.
    public let status: Int
    /// The machine-readable cause, such as `upgrade_required`.
    public let code: String
    /// One sentence for a person, without any of the request's bytes.
    public let message: String
    /// The header fields that the status asks for.
    public let fields: HTTPFields

    /// The client has to act.
    public var blame: Blame { .remote }
    /// The sentence.
    public var description: String { message }

    private init(_ status: Int, _ code: String, _ message: String, _ fields: [(name: String, value: String)] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.fields = HTTPFields(fields)
    }

    static let notGet = Self(405, "method_not_allowed", "A WebSocket is opened with GET.", [("Allow", "GET")])
    static let noUpgrade = Self(
        426, "upgrade_required", "This endpoint speaks WebSocket. Send Upgrade: websocket.",
        [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13")])
    static let version = Self(
        426, "version_not_supported", "This endpoint speaks WebSocket version 13. Send Sec-WebSocket-Version: 13.",
        [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13")])
    static let noConnection = Self(400, "missing_connection", "The request lacks Connection: Upgrade. Add it.")
    static let key = Self(400, "invalid_key", "Sec-WebSocket-Key must be 16 bytes in base64, once. Correct it.")
    static let subprotocol = Self(400, "invalid_subprotocol", "A subprotocol must be a token. Correct the list.")
}
