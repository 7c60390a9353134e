import GlassesAudio
import Testing

/// The coder of speech.
@Suite("Opus voice")
struct OpusVoiceTests {
    /// A gliding tone with syllables, so that a shift in time is found.
    private static let sound: [Int16] = (0..<24_000).map { index in
        var phase = UInt32(truncatingIfNeeded: index &* (40 + index / 400))
        phase %= 240
        let loudness = index % 4_800 < 3_600 ? 60 : 6
        return Int16((Int(phase) - 120) * loudness)
    }

    private func packets(_ encoder: OpusVoiceEncoder, _ samples: [Int16], block: Int) throws -> [[UInt8]] {
        var packets: [[UInt8]] = []
        for start in stride(from: 0, to: samples.count, by: block) {
            try samples[start..<min(samples.count, start + block)].withUnsafeBufferPointer {
                try encoder.encode($0) { packets.append(Array($0)) }
            }
        }
        try encoder.finish { packets.append(Array($0)) }
        return packets
    }

    @Test("a packet has 80 bytes, whether somebody speaks or not, and however the sound is cut")
    func constant() throws {
        let encoder = try OpusVoiceEncoder()
        let whole = try packets(encoder, Self.sound, block: 24_000)
        #expect(whole.count == 51)
        #expect(Set(whole.map(\.count)) == [80])
        encoder.reset()
        #expect(try packets(encoder, Self.sound, block: 333) == whole)
        encoder.reset()
        #expect(Set(try packets(encoder, [Int16](repeating: 0, count: 9_600), block: 480).map(\.count)) == [80])
    }

    @Test("without its look-ahead the decoded sound stands where the sound stood, to the sample")
    func aligned() throws {
        let encoder = try OpusVoiceEncoder()
        #expect(encoder.lookahead == 156)
        let decoder = try OpusVoiceDecoder()
        var decoded: [Int16] = []
        for packet in try packets(encoder, Self.sound, block: 480) {
            decoded += try packet.withUnsafeBufferPointer { Array(try decoder.decode($0)) }
        }
        decoded.removeFirst(encoder.lookahead)
        func likeness(_ shift: Int) -> Double {
            (4_800..<19_200).reduce(0) { $0 + Double(Self.sound[$1]) * Double(decoded[$1 + shift]) }
        }
        let best = (-60...60).max { likeness($0) < likeness($1) }
        #expect(abs(best ?? 60) <= 2)
    }

    @Test("what is no packet is refused, and the next packet is decoded")
    func broken() throws {
        let encoder = try OpusVoiceEncoder()
        let decoder = try OpusVoiceDecoder()
        let good = try packets(encoder, Self.sound, block: 480)[0]
        #expect(throws: AudioFormatError.self) {
            try [UInt8]([0x6B]).withUnsafeBufferPointer { _ = try decoder.decode($0) }
        }
        #expect(throws: AudioFormatError.self) { try [UInt8]().withUnsafeBufferPointer { _ = try decoder.decode($0) } }
        #expect(try good.withUnsafeBufferPointer { try decoder.decode($0).count } == 480)
    }
}
