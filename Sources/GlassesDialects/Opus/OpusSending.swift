import GlassesAudio
import GlassesDomain
import GlassesRealtime

/// One stream that is sent after another: samples in, binary frames out. Streams are numbered by who owns it.
struct OpusSending {
    private let encoder: OpusVoiceEncoder
    private(set) var stream: UInt8
    /// Samples of this stream so far, at 24 kHz.
    private(set) var samples = 0
    /// Where the next packet begins, at 48 kHz.
    private var start: UInt32 = 0
    /// The first half of a sample that a message cut in two.
    private var half: UInt8?

    private static let packetClock = UInt32(OpusVoiceEncoder.packetSamples * 2)

    init(stream: UInt8) throws(AudioFormatError) {
        encoder = try OpusVoiceEncoder()
        self.stream = stream
    }

    /// The frames that these bytes of PCM complete, 16 bits little-endian.
    mutating func add(_ pcm: [UInt8]) throws(AudioFormatError) -> [RealtimeMessage] {
        var bytes = pcm[...]
        var block: [Int16] = []
        block.reserveCapacity(bytes.count / 2 + 1)
        if let low = half, let high = bytes.popFirst() {
            block.append(Int16(bitPattern: UInt16(low) | UInt16(high) << 8))
            half = nil
        }
        while bytes.count >= 2 {
            let index = bytes.startIndex
            block.append(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
            bytes = bytes[(index + 2)...]
        }
        if let low = bytes.first { half = low }
        samples += block.count
        var frames: [RealtimeMessage] = []
        try block.withUnsafeBufferPointer { (block) throws(AudioFormatError) in
            try encoder.encode(block) { frames.append(frame($0)) }
        }
        return frames
    }

    /// The end of the stream and what is left of it; the next one has `next` as its number.
    mutating func finish(next: UInt8) throws(AudioFormatError) -> [RealtimeMessage] {
        guard samples > 0 else { return [] }
        let end = UInt32(truncatingIfNeeded: samples * 2 + OpusWire.preSkip)
        var frames: [RealtimeMessage] = [.binary(OpusFrame(stream: stream, start: end, body: .end).bytes)]
        try encoder.finish { frames.append(frame($0)) }
        encoder.reset()
        (stream, samples, start, half) = (next, 0, 0, nil)
        return frames
    }

    private mutating func frame(_ packet: UnsafeBufferPointer<UInt8>) -> RealtimeMessage {
        defer { start += Self.packetClock }
        return .binary(OpusFrame(stream: stream, start: start, body: .packet(Array(packet))).bytes)
    }
}
