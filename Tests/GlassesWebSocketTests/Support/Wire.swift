import GlassesDomain
import GlassesWebSocket

/// Frames written bit by bit, without the encoder under test.
enum Wire {
    static let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    /// A frame with any first byte; `mask` as the client's, `length` in the form asked for.
    static func frame(
        _ first: UInt8, _ payload: [UInt8] = [], mask: [UInt8]? = nil, form: LengthForm? = nil, announced: UInt64? = nil
    ) -> [UInt8] {
        let length = announced ?? UInt64(payload.count)
        let flag: UInt8 = mask == nil ? 0 : 0x80
        var bytes = [first]
        switch form ?? (length < 126 ? .short : length <= 0xFFFF ? .medium : .long) {
        case .short: bytes.append(UInt8(length) | flag)
        case .medium: bytes += [126 | flag] + bigEndian(length, 2)
        case .long: bytes += [127 | flag] + bigEndian(length, 8)
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    enum LengthForm { case short, medium, long }

    static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    static func close(_ code: UInt16, _ reason: String = "") -> [UInt8] {
        bigEndian(UInt64(code), 2) + Array(reason.utf8)
    }
}

/// What a decoder made of a stream.
struct Decoded: Equatable {
    var events: [WebSocketEvent] = []
    var failure: WebSocketFailure?

    /// The result of feeding `pieces` one after another until the first failure.
    init(_ pieces: [ArraySlice<UInt8>], role: WebSocketRole, maximum: Int = 1 << 20) {
        var decoder = WebSocketDecoder(role: role, maximumMessage: maximum)
        for piece in pieces {
            do throws(WebSocketFailure) {
                try decoder.decode(piece, into: &events)
            } catch {
                failure = error
                return
            }
        }
    }

    init(_ bytes: [UInt8], role: WebSocketRole, maximum: Int = 1 << 20) {
        self.init([bytes[...]], role: role, maximum: maximum)
    }
}

extension WebSocketEvent {
    static func text(_ text: String) -> WebSocketEvent { .message(.text(Array(text.utf8))) }
    static func binary(_ bytes: [UInt8]) -> WebSocketEvent { .message(.binary(bytes)) }
}
