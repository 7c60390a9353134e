/// The first 2 to 14 bytes of a frame.
struct FrameHeader: Equatable {
    /// The longest header: two bytes, a 64-bit length, a mask.
    static let longest = 14

    var isFinal: Bool
    var opcode: WebSocketOpcode
    var payloadLength: Int
    /// The four mask bytes in memory order; 0 when the frame is not masked.
    var mask: UInt32
    var headerLength: Int

    /// What the frames before this one allow it to be.
    struct Context {
        var role: WebSocketRole
        /// Whether a fragmented message waits for its continuation.
        var isMessageOpen: Bool
        /// How many bytes of that message have come.
        var assembled: Int
        var maximumMessage: Int
    }

    /// Reads the header at the start of `bytes`; nil when more bytes are needed.
    ///
    /// The checks follow the order of the bytes, so a prefix fails exactly when, and as, the whole fails.
    static func read(_ bytes: UnsafeRawBufferPointer, in context: Context) throws(WebSocketFailure) -> FrameHeader? {
        guard bytes.count > 0 else { return nil }
        let first = bytes[0]
        let isFinal = first & 0x80 != 0
        if first & 0x70 != 0 { throw .reservedBit }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else { throw .unknownOpcode }
        if opcode.isControl && !isFinal { throw .fragmentedControl }
        if !opcode.isControl && context.isMessageOpen != (opcode == .continuation) {
            throw context.isMessageOpen ? .unfinishedMessage : .strayContinuation
        }
        guard bytes.count > 1 else { return nil }
        let isMasked = bytes[1] & 0x80 != 0
        if isMasked != (context.role == .server) { throw isMasked ? .masked : .unmasked }
        let short = Int(bytes[1] & 0x7F)
        if opcode.isControl && short > 125 { throw .longControl }
        guard let (length, next) = try readLength(bytes, short: short) else { return nil }
        if !opcode.isControl && length > context.maximumMessage - context.assembled {
            throw .tooBig(limit: context.maximumMessage)
        }
        guard isMasked else {
            return FrameHeader(
                isFinal: isFinal, opcode: opcode, payloadLength: length, mask: 0, headerLength: next)
        }
        guard bytes.count >= next + 4 else { return nil }
        let mask = bytes.loadUnaligned(fromByteOffset: next, as: UInt32.self)
        return FrameHeader(
            isFinal: isFinal, opcode: opcode, payloadLength: length, mask: mask, headerLength: next + 4)
    }

    /// The payload's length and the offset after it; nil when more bytes are needed.
    private static func readLength(
        _ bytes: UnsafeRawBufferPointer, short: Int
    ) throws(WebSocketFailure) -> (length: Int, next: Int)? {
        switch short {
        case 126:
            guard bytes.count >= 4 else { return nil }
            let length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            if length < 126 { throw .paddedLength }
            return (length, 4)
        case 127:
            guard bytes.count >= 10 else { return nil }
            let length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard let signed = Int(exactly: length) else { throw .negativeLength }
            if signed <= 0xFFFF { throw .paddedLength }
            return (signed, 10)
        default:
            return (short, 2)
        }
    }
}
