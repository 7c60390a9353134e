import Foundation

/// A message as bytes: what a socket is given, with the payload apart so that a picture is not copied.
package struct EncodedLinkMessage: Sendable {
    /// The prefix and the header.
    package let head: [UInt8]
    /// What follows them; empty for most.
    package let payload: Data

    /// How many bytes it is.
    package var count: Int { head.count + payload.count }
    /// All of it in one piece.
    package var bytes: [UInt8] { head + payload }
}

/// The prefix of every message: four bytes that name the protocol and its framing, then two lengths.
package enum LinkPrefix {
    /// `DAT` and the framing's version.
    package static let mark: [UInt8] = [0x44, 0x41, 0x54, 0x01]
    /// Bytes of the prefix: the mark, the header's length and the payload's, both big-endian.
    package static let count = 12

    static func bytes(header: Int, payload: Int) -> [UInt8] {
        mark + bigEndian(UInt32(header)) + bigEndian(UInt32(payload))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }
}

extension LinkMessage {
    /// The message as bytes. Throws ``LinkCodecError`` with `tooLarge` when its header or payload is beyond the
    /// protocol's bounds.
    package func encoded() throws(LinkCodecError) -> EncodedLinkMessage {
        let (kind, fields, payload): (String, [String: LinkJSON], Data) =
            switch self {
            case .command(let command): (command.kind, command.fields, command.payload)
            case .event(let event): (event.kind, event.fields, event.payload)
            case .control(let control): (control.kind, control.fields, Data())
            case .unknown(let kind): (kind, [:], Data())
            }
        var members = fields
        members["kind"] = .string(kind)
        let header = LinkJSON.object(members).bytes
        guard header.count <= LinkLimits.header, payload.count <= LinkLimits.payload else {
            throw LinkCodecError(.tooLarge, "A message of the kind \"\(kind)\" is larger than the protocol allows.")
        }
        return EncodedLinkMessage(
            head: LinkPrefix.bytes(header: header.count, payload: payload.count) + header, payload: payload)
    }
}
