import COpus
import GlassesDomain

/// Codes speech at 24 kHz into Opus packets of 20 ms, at a constant 32 kbit/s: 80 bytes a packet, whatever is said.
///
/// Forward error correction and discontinuous transmission are off, for a connection that loses nothing. After `init` it allocates nothing.
///
/// Isolation: it owns one C handle and is not `Sendable`; keep it in one isolation domain.
public final class OpusVoiceEncoder {
    /// Samples a second that go in.
    public static let sampleRate = 24_000
    /// Samples of a packet.
    public static let packetSamples = 480
    /// Samples by which the coder lags behind: what a decoder leaves out at the beginning.
    public let lookahead: Int

    private let encoder: OpaquePointer
    private let pending: UnsafeMutableBufferPointer<Int16>
    private let packet: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    private static let bitrate: Int32 = 32_000
    /// A quarter of the time of the best, for a difference that is hard to hear in speech.
    private static let complexity: Int32 = 3
    private static let packetBytes = 1_275

    /// A coder at the beginning of a stream.
    /// - Throws: ``AudioFormatError/opus(_:)``.
    public init() throws(AudioFormatError) {
        var code: Int32 = 0
        guard let made = opus_encoder_create(Int32(Self.sampleRate), 1, OPUS_APPLICATION_VOIP, &code) else {
            throw .opus(code)
        }
        var lookahead: Int32 = 0
        let codes = [
            copus_set_bitrate(made, Self.bitrate), copus_set_complexity(made, Self.complexity),
            copus_set_constant_bitrate(made), copus_set_voice(made), copus_set_no_repair(made),
            copus_get_lookahead(made, &lookahead),
        ]
        encoder = made
        self.lookahead = Int(lookahead)
        pending = .allocate(capacity: Self.packetSamples)
        pending.initialize(repeating: 0)
        packet = .allocate(capacity: Self.packetBytes)
        packet.initialize(repeating: 0)
        if let failed = codes.first(where: { $0 != OPUS_OK }) { throw .opus(failed) }
    }

    deinit {
        opus_encoder_destroy(encoder)
        pending.deallocate()
        packet.deallocate()
    }

    /// Begins a new stream.
    public func reset() {
        _ = copus_reset_encoder(encoder)
        count = 0
    }

    /// Takes samples, and hands over each packet that they complete; the bytes are valid during the call.
    public func encode(
        _ samples: UnsafeBufferPointer<Int16>, packet body: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws(AudioFormatError) {
        var taken = 0
        while taken < samples.count {
            let part = min(Self.packetSamples - count, samples.count - taken)
            for index in 0..<part { pending[count + index] = samples[taken + index] }
            count += part
            taken += part
            if count == Self.packetSamples { try complete(body) }
        }
    }

    /// Hands over what is left, filled up with silence, until the coder holds nothing back.
    public func finish(packet body: (UnsafeBufferPointer<UInt8>) -> Void) throws(AudioFormatError) {
        var left = count + lookahead
        while left > 0 {
            for index in count..<Self.packetSamples { pending[index] = 0 }
            try complete(body)
            left -= Self.packetSamples
        }
    }

    private func complete(_ body: (UnsafeBufferPointer<UInt8>) -> Void) throws(AudioFormatError) {
        count = 0
        guard let samples = pending.baseAddress, let target = packet.baseAddress else { return }
        let length = opus_encode(encoder, samples, Int32(Self.packetSamples), target, opus_int32(Self.packetBytes))
        guard length > 0 else { throw .opus(length) }
        body(UnsafeBufferPointer(start: target, count: Int(length)))
    }
}
