import Foundation
import GlassesDomain

/// Bytes that travel as base64 with padding (RFC 4648 section 4).
struct Base64Bytes: WireValue {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Nil when the text is not padded base64; line breaks and other characters are not skipped.
    init?(text: some Collection<UInt8>) {
        guard let data = Data(base64Encoded: Data(text)) else { return nil }
        bytes = [UInt8](data)
    }

    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        let text = try String(wire: wire, in: context)
        guard let decoded = Base64Bytes(text: text.utf8) else {
            throw context.wrongValue(expected: "base64 with padding")
        }
        self = decoded
    }

    /// The base64 text as ASCII.
    var text: Data { Data(bytes).base64EncodedData() }

    var wire: JSONValue { .string(String(decoding: text, as: UTF8.self)) }
}
