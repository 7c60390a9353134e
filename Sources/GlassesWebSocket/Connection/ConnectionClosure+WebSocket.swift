import GlassesDomain

extension ConnectionClosure {
    /// We closed, and the peer agreed.
    static func closedHere(code: UInt16, reason: String) -> ConnectionClosure {
        ConnectionClosure(
            code: "closed", message: reason.isEmpty ? "The connection was closed." : reason, closeCode: code)
    }

    /// We closed, and the peer said nothing within the bound, or dropped the link.
    static let closeUnanswered = ConnectionClosure(
        code: "close_unanswered", message: "The connection was closed; the peer did not answer that.",
        closeCode: WebSocketCloseCode.abnormal)

    /// The peer closed.
    static func closedByPeer(code: UInt16?, reason: String) -> ConnectionClosure {
        let code = code ?? WebSocketCloseCode.noCode
        let visible = String(reason.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
        return ConnectionClosure(
            code: "closed_by_peer",
            message: "The peer closed the connection (\(code))" + (visible.isEmpty ? "." : ": \(visible)"),
            closeCode: code)
    }

    /// The peer's bytes broke the protocol or a limit.
    static func failed(_ failure: WebSocketFailure) -> ConnectionClosure {
        ConnectionClosure(code: failure.code, message: failure.message, closeCode: failure.closeCode)
    }

    /// The link ended without a close frame.
    static let dropped = lost(
        "connection_lost", "The peer dropped the connection. Check the network and connect again.")
    /// Neither traffic nor a pong came in time.
    static let silent = lost(
        "keep_alive_timeout", "The peer gives no sign of life. Check the network and connect again.")
    /// The peer takes the control messages too slowly.
    static let controlOverflow = lost(
        "send_queue_full", "The peer does not read what it is sent. Check the network and connect again.")
    /// The audio waits too long.
    static let audioStalled = lost(
        "uplink_stalled", "The network is too slow for the audio. Check the network and connect again.")

    private static func lost(_ code: String, _ message: String) -> ConnectionClosure {
        ConnectionClosure(code: code, message: message, closeCode: WebSocketCloseCode.abnormal)
    }
}
