/// The wire form of `extentos.opus.v1`: what is fixed for every connection.
public enum OpusWire {
    /// The subprotocol that both sides agree on; without it no binary message may be sent.
    public static let subprotocol = "extentos.opus.v1"
    /// The field of `response.content_part.added` that names the part's stream, 0…255.
    public static let streamField = "opus_stream"
    /// The first byte of a frame.
    public static let version: UInt8 = 1
    /// The bytes before the packet.
    public static let headerBytes = 8
    /// The longest packet, in bytes: three coded frames of 1,275 bytes and their lengths, rounded up.
    public static let packetBytes = 4_000
    /// What a frame counts in: samples a second, whatever the coder works with.
    public static let clock = 48_000
    /// The longest packet, in samples of the clock: 60 ms.
    public static let packetSamples = 2_880
    /// The samples at the beginning of a stream that are the coder's own, in samples of the clock: 6.5 ms, the look-ahead of libopus.
    public static let preSkip = 312
    /// The longest gap that becomes silence, in samples of the clock: 5 s. A frame behind a longer one is refused.
    public static let longestGap = 5 * 48_000
}

/// One binary message of `extentos.opus.v1`.
///
/// Eight bytes `version, kind, flags, stream, start` (`start` 32 bits, big-endian as all numbers in network order), and the packet.
public struct OpusFrame: Sendable, Hashable {
    /// What a frame brings.
    public enum Body: Sendable, Hashable {
        /// One Opus packet (RFC 6716) of at most 60 ms; the frame's `start` is the place of its first sample.
        case packet([UInt8])
        /// Nothing: the stream's sound ends at `start`. It comes before the packet that reaches past the end.
        case end
    }

    /// Which stream it belongs to.
    public var stream: UInt8
    /// A place in the stream, in samples at 48 kHz since its start, those of the pre-skip included.
    public var start: UInt32
    /// What it brings.
    public var body: Body

    /// A frame.
    public init(stream: UInt8, start: UInt32, body: Body) {
        self.stream = stream
        self.start = start
        self.body = body
    }

    /// Reads a message; throws ``OpusFrameError`` for everything that is not exactly a frame.
    public init(_ bytes: [UInt8]) throws(OpusFrameError) {
        guard bytes.count >= OpusWire.headerBytes else { throw .tooShort }
        guard bytes[0] == OpusWire.version else { throw .unknownVersion }
        guard bytes[2] == 0 else { throw .unknownFlags }
        stream = bytes[3]
        start = bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
        let rest = bytes[OpusWire.headerBytes...]
        switch bytes[1] {
        case Self.packetKind:
            _ = try OpusPacket.samples(in: rest)
            body = .packet(Array(rest))
        case Self.endKind:
            guard rest.isEmpty else { throw .trailingBytes }
            body = .end
        default: throw .unknownKind
        }
    }

    /// The message.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let packet: [UInt8]
        let kind: UInt8
        switch body {
        case .packet(let bytes): (kind, packet) = (Self.packetKind, bytes)
        case .end: (kind, packet) = (Self.endKind, [])
        }
        bytes.reserveCapacity(OpusWire.headerBytes + packet.count)
        bytes += [OpusWire.version, kind, 0, stream]
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: start >> shift)) }
        return bytes + packet
    }

    private static let packetKind: UInt8 = 1
    private static let endKind: UInt8 = 2
}

/// What the first bytes of an Opus packet say (RFC 6716 section 3).
public enum OpusPacket {
    /// The packet's length in samples at 48 kHz; throws for a packet that cannot be one, or that is too long.
    public static func samples(in packet: ArraySlice<UInt8>) throws(OpusFrameError) -> Int {
        guard let first = packet.first else { throw .emptyPacket }
        guard packet.count <= OpusWire.packetBytes else { throw .packetTooLarge }
        let frames: Int
        switch first & 3 {
        case 0: frames = 1
        case 1:
            // Two frames of the same size.
            guard packet.count % 2 == 1 else { throw .brokenPacket }
            frames = 2
        case 2:
            guard packet.count >= 2 else { throw .brokenPacket }
            frames = 2
        default:
            guard packet.count >= 2 else { throw .brokenPacket }
            frames = Int(packet[packet.startIndex + 1] & 63)
        }
        guard frames > 0 else { throw .brokenPacket }
        let samples = frames * frameSamples(configuration: Int(first >> 3))
        guard samples <= OpusWire.packetSamples else { throw .packetTooLong }
        return samples
    }

    /// Samples at 48 kHz of one coded frame.
    private static func frameSamples(configuration: Int) -> Int {
        switch configuration {
        case ..<12: [480, 960, 1_920, 2_880][configuration % 4]
        case ..<16: [480, 960][configuration % 2]
        default: [120, 240, 480, 960][configuration % 4]
        }
    }
}
