import COpus
import GlassesDomain

/// Decodes Opus packets of at most 60 ms into mono samples at 24 kHz. After `init` it allocates nothing.
///
/// Isolation: it owns one C handle and is not `Sendable`; keep it in one isolation domain.
public final class OpusVoiceDecoder {
    /// Samples a second that come out.
    public static let sampleRate = 24_000

    private let decoder: OpaquePointer
    private let samples: UnsafeMutableBufferPointer<Int16>

    /// 120 ms, the longest packet that the format has.
    private static let maximumSamples = 2_880

    /// A decoder at the beginning of a stream.
    /// - Throws: ``AudioFormatError/opus(_:)``.
    public init() throws(AudioFormatError) {
        var code: Int32 = 0
        guard let made = opus_decoder_create(Int32(Self.sampleRate), 1, &code) else { throw .opus(code) }
        decoder = made
        samples = .allocate(capacity: Self.maximumSamples)
        samples.initialize(repeating: 0)
    }

    deinit {
        opus_decoder_destroy(decoder)
        samples.deallocate()
    }

    /// Begins a new stream.
    public func reset() { _ = copus_reset_decoder(decoder) }

    /// The samples of one packet, valid until the next call. A packet that is none throws ``AudioFormatError/opus(_:)``, and changes
    /// nothing.
    public func decode(_ packet: UnsafeBufferPointer<UInt8>) throws(AudioFormatError) -> UnsafeBufferPointer<Int16> {
        guard let first = packet.baseAddress, let target = samples.baseAddress, !packet.isEmpty else {
            throw .opus(OPUS_INVALID_PACKET)
        }
        let count = opus_decode(decoder, first, opus_int32(packet.count), target, Int32(Self.maximumSamples), 0)
        guard count > 0 else { throw .opus(count) }
        return UnsafeBufferPointer(start: target, count: Int(count))
    }
}
