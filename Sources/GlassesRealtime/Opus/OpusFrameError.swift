import GlassesDomain

/// Why a binary message is no frame of `extentos.opus.v1`, or no frame that belongs here; it quotes no content.
public struct OpusFrameError: ExtentosErrorDescription, Sendable, Hashable {
    /// The machine-readable cause, such as `opus_unknown_version`.
    public let code: String
    /// Always the peer: only received bytes are read.
    public var blame: Blame { .remote }
    /// One sentence with the next step.
    public let message: String
    /// The sentence.
    public var description: String { message }

    private init(_ code: String, _ message: String) {
        self.code = "opus_" + code
        self.message = message
    }

    /// Fewer bytes than a header has.
    public static let tooShort = Self("too_short", "A binary frame has at least 8 bytes. Send the whole header.")
    /// Another version than 1.
    public static let unknownVersion = Self("unknown_version", "The frame's version is not 1. Send version 1.")
    /// A kind beside packet and end.
    public static let unknownKind = Self("unknown_kind", "The frame's kind is neither 1 (packet) nor 2 (end).")
    /// A flag; version 1 has none.
    public static let unknownFlags = Self("unknown_flags", "The frame's flags are not 0. Version 1 has no flags.")
    /// Bytes behind the header of an end.
    public static let trailingBytes = Self("trailing_bytes", "An end has no bytes behind its header. Leave them out.")
    /// No packet.
    public static let emptyPacket = Self("empty_packet", "The frame holds no packet. Send one Opus packet a frame.")
    /// More bytes than a packet of 60 ms can have.
    public static let packetTooLarge = Self("packet_too_large", "The packet has over 4000 bytes. Send shorter ones.")
    /// A packet that contradicts itself, or that the decoder refused.
    public static let brokenPacket = Self("broken_packet", "The bytes are no Opus packet (RFC 6716). Send whole ones.")
    /// More than 60 ms.
    public static let packetTooLong = Self("packet_too_long", "The packet is longer than 60 ms. Send shorter ones.")
    /// A stream that is bound to nothing.
    public static let unboundStream = Self(
        "unbound_stream", "The frame's stream is bound to nothing. Announce a stream before its first frame.")
    /// A gap above ``OpusWire/longestGap``.
    public static let gapTooLong = Self(
        "gap_too_long", "The frame begins over 5 s behind the one before. Begin a new stream.")
    /// The session's audio format is not PCM at 24 kHz.
    public static let otherFormat = Self(
        "other_format", "Opus stands for audio/pcm at 24 kHz only. Send other formats as base64.")
}
