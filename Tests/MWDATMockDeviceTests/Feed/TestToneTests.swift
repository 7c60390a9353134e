import Foundation
import MWDATCore
import Testing

@testable import MWDATMockDevice

@Suite("What the simulated microphone hears")
struct TestToneTests {
    private static func samples(_ audio: LinkAudio) -> [Int16] {
        audio.bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self))
            }
        }
    }

    @Test("Blocks join without a gap, whatever their lengths")
    func joins() throws {
        let whole = try #require(TestTone.block(from: 0, to: 500_000_000))
        var parts: [Int16] = []
        let ends: [UInt64] = [33_333_333, 66_666_666, 99_999_999, 250_000_000, 500_000_000]
        for (start, end) in zip([0] + ends, ends) {
            parts += Self.samples(try #require(TestTone.block(from: start, to: end)))
        }
        #expect(parts == Self.samples(whole))
        #expect(parts.count == 8_000)
        // 440 periods a second cross zero upwards 220 times in half of it.
        let crossings = zip(parts, parts.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect((219...221).contains(crossings))
    }

    @Test("After a long gap there is a second of it, and between equal times nothing")
    func bounds() throws {
        let block = try #require(TestTone.block(from: 0, to: 60_000_000_000))
        #expect(block.bytes.count == 32_000 && block.time == 59_000_000_000)
        #expect(TestTone.block(from: 5, to: 5) == nil)
        #expect(TestTone.block(from: 9, to: 5) == nil)
    }

    @Test("A stream gets sound when it asks for it, and none for its pauses")
    func stream() {
        for hasAudio in [true, false] {
            var world = WorldHarness()
            world.operate(.don)
            world.send(.openSession(1, device: WorldHarness.glasses, takesOver: false))
            var request = WorldHarness.request
            request.hasAudio = hasAudio
            world.send(.startStream(1, 1, request))
            world.picture(100_000_000)
            world.operate(.tap)
            world.picture(900_000_000)
            world.operate(.tap)
            world.picture(1_000_000_000)
            let sounds = world.events().compactMap { if case .audio(1, 1, let audio) = $0 { audio } else { nil } }
            #expect(sounds.map(\.bytes.count) == (hasAudio ? [3_200, 3_200] : []))
            #expect(sounds.map(\.time) == (hasAudio ? [0, 900_000_000] : []))
        }
    }
}
