import GlassesDomain
import SeededRandom
import Testing

@testable import GlassesRealtime

/// The binary messages of `extentos.opus.v1`.
@Suite("Opus frames")
struct OpusFrameTests {
    /// A packet of 20 ms: one frame in the hybrid mode.
    private static let packet: [UInt8] = [13 << 3 | 0, 1, 2, 3]

    @Test("a frame is eight bytes in network order and its packet")
    func layout() throws {
        let frame = OpusFrame(stream: 7, start: 0x0102_0304, body: .packet(Self.packet))
        #expect(frame.bytes == [1, 1, 0, 7, 1, 2, 3, 4] + Self.packet)
        #expect(try OpusFrame(frame.bytes) == frame)
        let end = OpusFrame(stream: 255, start: .max, body: .end)
        #expect(end.bytes == [1, 2, 0, 255, 255, 255, 255, 255])
        #expect(try OpusFrame(end.bytes) == end)
    }

    @Test(
        "every malformed frame is refused by name",
        arguments: [
            ([], OpusFrameError.tooShort), ([1, 1, 0, 0, 0, 0, 0], .tooShort),
            ([0, 1, 0, 0, 0, 0, 0, 0] + packet, .unknownVersion), ([2, 1, 0, 0, 0, 0, 0, 0] + packet, .unknownVersion),
            ([1, 0, 0, 0, 0, 0, 0, 0] + packet, .unknownKind), ([1, 3, 0, 0, 0, 0, 0, 0], .unknownKind),
            ([1, 1, 1, 0, 0, 0, 0, 0] + packet, .unknownFlags), ([1, 2, 128, 0, 0, 0, 0, 0], .unknownFlags),
            ([1, 2, 0, 0, 0, 0, 0, 0, 9], .trailingBytes), ([1, 1, 0, 0, 0, 0, 0, 0], .emptyPacket),
            // Two frames of one size in an even number of bytes; two frames without a length; a count that is absent, or 0.
            ([1, 1, 0, 0, 0, 0, 0, 0, 1, 0], .brokenPacket), ([1, 1, 0, 0, 0, 0, 0, 0, 2], .brokenPacket),
            ([1, 1, 0, 0, 0, 0, 0, 0, 3], .brokenPacket), ([1, 1, 0, 0, 0, 0, 0, 0, 3, 0], .brokenPacket),
            // Twice 60 ms, and four times 20 ms.
            ([1, 1, 0, 0, 0, 0, 0, 0, 3 << 3 | 1, 5, 5], .packetTooLong),
            ([1, 1, 0, 0, 0, 0, 0, 0, 1 << 3 | 3, 4, 5], .packetTooLong),
        ] as [([UInt8], OpusFrameError)])
    func malformed(_ bytes: [UInt8], _ refusal: OpusFrameError) {
        #expect(throws: refusal) { try OpusFrame(bytes) }
        #expect(refusal.blame == .remote)
    }

    @Test("a packet is as long as a packet of 60 ms can be, and not longer")
    func large() throws {
        let header: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 0]
        let largest = header + Self.packet + [UInt8](repeating: 0, count: 3_996)
        #expect(try OpusFrame(largest).bytes == largest)
        #expect(throws: OpusFrameError.packetTooLarge) { try OpusFrame(largest + [0]) }
    }

    @Test("a packet's length is told by its first bytes")
    func lengths() throws {
        for configuration in 0..<32 {
            let expected = [
                0: 480, 1: 960, 2: 1_920, 3: 2_880, 12: 480, 13: 960, 14: 480, 15: 960, 16: 120, 17: 240, 18: 480,
                31: 960,
            ][configuration]
            let samples = try OpusPacket.samples(in: [UInt8(configuration << 3), 1])
            if let expected { #expect(samples == expected) }
            #expect((120...2_880).contains(samples))
        }
        #expect(try OpusPacket.samples(in: [13 << 3 | 1, 1, 1]) == 1_920)
        #expect(try OpusPacket.samples(in: [13 << 3 | 3, 3, 1]) == 2_880)
    }

    @Test("whatever bytes come, they are refused or read back to the same bytes")
    func anything() {
        var random = SeededGenerator(seed: 8)
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            if bytes.count > 2, Bool.random(using: &random) { bytes.replaceSubrange(0..<3, with: [1, 1, 0]) }
            do throws(OpusFrameError) {
                #expect(try OpusFrame(bytes).bytes == bytes)
                taken += 1
            } catch {
                #expect(error.code.hasPrefix("opus_"))
            }
        }
        #expect(taken > 1_000)
    }
}

/// Where packets belong in their stream.
@Suite("Opus timeline")
struct OpusTimelineTests {
    private typealias Piece = OpusTimeline.Piece

    @Test("the pre-skip is left out once, and packets follow one another")
    func preSkip() throws {
        var line = OpusTimeline()
        #expect(try line.take(start: 0, count: 480) == Piece(silence: 0, kept: 156..<480))
        #expect(try line.take(start: 960, count: 480) == Piece(silence: 0, kept: 0..<480))
        #expect(line.length == 804)
    }

    @Test("a gap becomes silence of its length, and one that is too long is refused")
    func gap() throws {
        var line = OpusTimeline()
        _ = try line.take(start: 0, count: 480)
        #expect(try line.take(start: 2_880, count: 480) == Piece(silence: 960, kept: 0..<480))
        #expect(throws: OpusFrameError.gapTooLong) { try line.take(start: 3_840 + 240_002, count: 480) }
        // A refused packet has changed nothing.
        #expect(try line.take(start: 3_840, count: 480) == Piece(silence: 0, kept: 0..<480))
        #expect(try line.take(start: 4_800 + 240_000, count: 480).silence == 120_000)
    }

    @Test("a gap over the pre-skip is silence from the sound's beginning")
    func gapAtStart() throws {
        var line = OpusTimeline()
        #expect(try line.take(start: 960, count: 480) == Piece(silence: 324, kept: 0..<480))
    }

    @Test("what came before is dropped")
    func overlap() throws {
        var line = OpusTimeline()
        _ = try line.take(start: 0, count: 960)
        #expect(try line.take(start: 960, count: 480).kept.isEmpty)
        #expect(try line.take(start: 1_440, count: 480) == Piece(silence: 0, kept: 240..<480))
        #expect(line.length == 1_200 - 156)
    }

    @Test("nothing behind the announced end is sound")
    func end() throws {
        var line = OpusTimeline()
        _ = try line.take(start: 0, count: 480)
        line.announceEnd(at: 1_200)
        #expect(!line.isComplete)
        #expect(try line.take(start: 960, count: 480) == Piece(silence: 0, kept: 0..<120))
        #expect(line.isComplete)
        #expect(try line.take(start: 1_920, count: 480).kept.isEmpty)
        #expect(line.length == 600 - 156)
    }

    @Test("a stream that ends inside its pre-skip has no sound")
    func short() throws {
        var line = OpusTimeline()
        line.announceEnd(at: 100)
        #expect(try line.take(start: 0, count: 480).kept.isEmpty)
        #expect(line.length == 0)
    }
}
