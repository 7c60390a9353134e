import GlassesDomain

/// Writes frames into a caller's buffer: headers, and bodies copied once, masked on the way when the role asks for it.
///
/// Each frame of a client needs a mask of its own that the peer cannot predict (RFC 6455 section 10.3): four bytes from
/// the system's generator. A server's frames are never masked and ignore it.
public struct WebSocketEncoder: Sendable, Hashable {
    /// The end that sends.
    public let role: WebSocketRole

    /// An encoder for the frames of `role`.
    public init(role: WebSocketRole) { self.role = role }

    /// Appends a message as one frame.
    public func append(_ message: RealtimeMessage, mask: UInt32, to output: inout [UInt8]) {
        switch message {
        case .text(let bytes): append(.text, isFinal: true, bytes[...], mask: mask, to: &output)
        case .binary(let bytes): append(.binary, isFinal: true, bytes[...], mask: mask, to: &output)
        }
    }

    /// Appends a ping; the payload is cut after 125 bytes.
    public func appendPing(_ payload: [UInt8], mask: UInt32, to output: inout [UInt8]) {
        append(.ping, isFinal: true, payload.prefix(125), mask: mask, to: &output)
    }

    /// Appends a pong; the payload is cut after 125 bytes.
    public func appendPong(_ payload: [UInt8], mask: UInt32, to output: inout [UInt8]) {
        append(.pong, isFinal: true, payload.prefix(125), mask: mask, to: &output)
    }

    /// Appends a close frame: without a code when `code` is nil or may not be sent; the reason is cut at a character
    /// after 123 bytes.
    public func appendClose(code: UInt16?, reason: String, mask: UInt32, to output: inout [UInt8]) {
        var payload: [UInt8] = []
        if let code, WebSocketCloseCode.isAllowedOnWire(code) {
            payload.append(UInt8(code >> 8))
            payload.append(UInt8(code & 0xFF))
            for scalar in reason.unicodeScalars {
                let bytes = UTF8.encode(scalar)
                guard let bytes, payload.count + bytes.count <= 125 else { break }
                payload.append(contentsOf: bytes)
            }
        }
        append(.close, isFinal: true, payload[...], mask: mask, to: &output)
    }

    /// Appends one frame; a control frame's payload must have at most 125 bytes, and the order of fragments is the
    /// caller's.
    public func append(
        _ opcode: WebSocketOpcode, isFinal: Bool, _ payload: ArraySlice<UInt8>, mask: UInt32, to output: inout [UInt8]
    ) {
        appendHeader(opcode, isFinal: isFinal, length: payload.count, to: &output)
        var applied = PayloadMask(0)
        if role == .client {
            withUnsafeBytes(of: mask) { output.append(contentsOf: $0) }
            applied = PayloadMask(mask)
        }
        payload.withUnsafeBytes { applied.append($0, to: &output) }
    }

    private func appendHeader(_ opcode: WebSocketOpcode, isFinal: Bool, length: Int, to output: inout [UInt8]) {
        output.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        let masked: UInt8 = role == .client ? 0x80 : 0
        switch length {
        case ...125: output.append(UInt8(length) | masked)
        case ...0xFFFF:
            output.append(126 | masked)
            withUnsafeBytes(of: UInt16(length).bigEndian) { output.append(contentsOf: $0) }
        default:
            output.append(127 | masked)
            withUnsafeBytes(of: UInt64(length).bigEndian) { output.append(contentsOf: $0) }
        }
    }
}
