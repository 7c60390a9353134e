import GlassesDomain

/// How audio is coded in one direction.
public enum AudioFormat: Sendable, Hashable {
    /// PCM, 16 bits little-endian, mono; the rate in Hz is 24000 in the GA protocol, other servers have others.
    case pcm(rate: Int)
    /// G.711 µ-law, 8 kHz, one byte a sample.
    case pcmu
    /// G.711 A-law, 8 kHz, one byte a sample.
    case pcma
    /// A format that the protocol does not name, as it came.
    case other(JSONValue)

    /// The GA default: PCM at 24 kHz.
    public static let standard = AudioFormat.pcm(rate: 24_000)

    /// Samples per second; nil for a format that is not known.
    public var rate: Int? {
        switch self {
        case .pcm(let rate): rate
        case .pcmu, .pcma: 8_000
        case .other: nil
        }
    }

    /// Bytes per sample; nil for a format that is not known.
    public var bytesPerSample: Int? {
        switch self {
        case .pcm: 2
        case .pcmu, .pcma: 1
        case .other: nil
        }
    }
}

extension AudioFormat: WireValue {
    /// Takes the GA object and the beta names `pcm16`, `g711_ulaw`, `g711_alaw` (some servers: `pcm`).
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        if let name = wire.stringValue {
            self = Self.betaFormats[name] ?? .other(wire)
            return
        }
        var reader = try ObjectReader(wire, in: context)
        switch try reader.require("type", or: "") {
        case "audio/pcm": self = .pcm(rate: try reader.take("rate") ?? 24_000)
        case "audio/pcmu": self = .pcmu
        case "audio/pcma": self = .pcma
        default: self = .other(wire)
        }
    }

    private static let betaFormats: [String: AudioFormat] = [
        "pcm16": .standard, "pcm": .standard, "g711_ulaw": .pcmu, "g711_alaw": .pcma,
    ]

    var wire: JSONValue {
        switch self {
        case .pcm(let rate): ["type": "audio/pcm", "rate": rate.wire]
        case .pcmu: ["type": "audio/pcmu"]
        case .pcma: ["type": "audio/pcma"]
        case .other(let raw): raw
        }
    }
}
