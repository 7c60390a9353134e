import GlassesDomain

/// Bytes with their kind: a piece of audio, or a picture.
public struct GeminiBlob: Sendable, Hashable {
    /// What the bytes are, such as `audio/pcm;rate=24000` or `image/jpeg`.
    public var mimeType: String
    /// The bytes.
    public var data: [UInt8]

    /// Bytes of the kind `mimeType`.
    public init(mimeType: String, data: [UInt8]) {
        self.mimeType = mimeType
        self.data = data
    }

    /// PCM16 mono, little-endian, with `rate` samples a second.
    public static func pcm(_ data: [UInt8], rate: Int) -> GeminiBlob {
        GeminiBlob(mimeType: "audio/pcm;rate=\(rate)", data: data)
    }

    /// The samples a second of PCM; `standard` when the kind names no rate, nil for anything but PCM.
    public func pcmRate(standard: Int) -> Int? {
        let fields = mimeType.lowercased().split(separator: ";").map { $0.filter { !$0.isWhitespace } }
        guard fields.first == "audio/pcm" else { return nil }
        guard let rate = fields.dropFirst().first(where: { $0.hasPrefix("rate=") }) else { return standard }
        guard let number = Int(rate.dropFirst(5)), number > 0 else { return nil }
        return number
    }
}

extension GeminiBlob: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        mimeType = try reader.takeSpelled("mimeType") ?? ""
        data = try reader.take("data", as: GeminiBytes.self)?.bytes ?? []
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("data", Base64Bytes(data))
        writer.set("mimeType", mimeType)
    }
}

/// Bytes as base64 in either alphabet, with or without padding (RFC 4648 sections 4 and 5), as protocol buffers take them.
struct GeminiBytes: WireValue {
    let bytes: [UInt8]

    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        let text = try String(wire: wire, in: context)
        guard let bytes = Self.decode(Array(text.utf8)[...]) else { throw context.wrongValue(expected: "base64") }
        self.bytes = bytes
    }

    var wire: JSONValue { Base64Bytes(bytes).wire }

    /// The bytes that `text` stands for; nil when it is no base64.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        if let standard = Base64Bytes(text: text) { return standard.bytes }
        var letters = text.map { letter in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        if !letters.contains(UInt8(ascii: "=")) {
            letters += [UInt8](repeating: UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
        }
        return Base64Bytes(text: letters)?.bytes
    }
}
