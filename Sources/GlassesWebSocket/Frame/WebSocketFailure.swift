import GlassesDomain

/// What a peer did against RFC 6455 or our limits; the connection cannot go on.
public struct WebSocketFailure: ExtentosErrorDescription, Sendable, Hashable {
    /// The code of the close frame that tells the peer: 1002, 1007 or 1009.
    public let closeCode: UInt16
    /// The machine-readable cause, such as `reserved_bit` or `message_too_big`.
    public let code: String
    /// One sentence for a person, without any of the peer's bytes.
    public let message: String

    /// The peer has to act.
    public var blame: Blame { .remote }
    /// The sentence.
    public var description: String { message }

    private init(_ closeCode: UInt16, _ code: String, _ message: String) {
        self.closeCode = closeCode
        self.code = code
        self.message = message
    }

    private static func violation(_ code: String, _ message: String) -> WebSocketFailure {
        WebSocketFailure(WebSocketCloseCode.protocolError, code, message + " Update or report the peer's software.")
    }

    static let reservedBit = violation("reserved_bit", "The peer set a reserved bit without an agreed extension.")
    static let unknownOpcode = violation("unknown_opcode", "The peer sent a frame of an unknown kind.")
    static let fragmentedControl = violation("fragmented_control", "The peer sent a control frame in fragments.")
    static let longControl = violation("long_control", "The peer sent a control frame of more than 125 bytes.")
    static let unmasked = violation("unmasked_frame", "The client sent a frame without a mask.")
    static let masked = violation("masked_frame", "The server sent a masked frame.")
    static let paddedLength = violation("padded_length", "The peer wrote a frame's length in more bytes than it needs.")
    static let negativeLength = violation("negative_length", "The peer announced a frame longer than 63 bits can say.")
    static let strayContinuation = violation(
        "stray_continuation", "The peer continued a message that it had not begun.")
    static let unfinishedMessage = violation(
        "unfinished_message", "The peer began a message before its last one was complete.")
    static let shortClose = violation("short_close", "The peer sent a close frame with half a code.")
    static let closeCodeNotAllowed = violation("close_code", "The peer sent a close code that may not be sent.")
    static let invalidText = WebSocketFailure(
        WebSocketCloseCode.invalidText, "invalid_utf8",
        "The peer sent text that is not UTF-8. Update or report the peer's software.")

    static func tooBig(limit: Int) -> WebSocketFailure {
        WebSocketFailure(
            WebSocketCloseCode.tooBig, "message_too_big",
            "The peer sent a message above the limit of \(limit) bytes. Send less at once.")
    }
}
