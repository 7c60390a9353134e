import GlassesDomain

/// A message on its way out, frame by frame, so that control frames can go between the parts of a long one.
///
/// The body is shared with the message, not copied.
public struct OutgoingMessage: Sendable, Hashable {
    private let opcode: WebSocketOpcode
    private let body: [UInt8]
    private var sent = 0
    /// Whether a frame of it has been written: from then on no other message may go before its end.
    public private(set) var hasBegun = false

    /// `message`, of which nothing was written.
    public init(_ message: RealtimeMessage) {
        switch message {
        case .text(let bytes): (opcode, body) = (.text, bytes)
        case .binary(let bytes): (opcode, body) = (.binary, bytes)
        }
    }

    /// The bytes of the body that no frame carries yet.
    public var remaining: Int { body.count - sent }

    /// Appends the next frame, with at most `maximumPayload` bytes (at least 1) of the body; true when it was the last
    /// one.
    public mutating func appendFrame(
        _ encoder: WebSocketEncoder, maximumPayload: Int, mask: UInt32, to output: inout [UInt8]
    ) -> Bool {
        let end = min(body.count, sent + max(1, maximumPayload))
        let isLast = end == body.count
        encoder.append(
            hasBegun ? .continuation : opcode, isFinal: isLast, body[sent..<end], mask: mask, to: &output)
        sent = end
        hasBegun = true
        return isLast
    }
}
