import SeededRandom
import GlassesDomain
import GlassesWebSocket
import Testing

/// One stream gives one result, however the network cuts it (field bug A20).
struct SplitInvarianceTests {
    struct Stream: Sendable, CustomTestStringConvertible {
        var name: String
        var role: WebSocketRole
        var frames: [[UInt8]]
        var bytes: [UInt8] { frames.flatMap { $0 } }
        var testDescription: String { name }
    }

    static let streams: [Stream] =
        [
            Stream(name: "a conversation for a client", role: .client, frames: conversation(mask: nil)),
            Stream(name: "a conversation for a server", role: .server, frames: conversation(mask: Wire.key)),
            Stream(
                name: "messages and a closing", role: .client,
                frames: conversation(mask: nil) + [Wire.frame(0x88, Wire.close(1000, "done")), [0xFF, 0x00, 0x81]]),
            Stream(
                name: "text ruined in the middle", role: .server,
                frames: conversation(mask: Wire.key)
                    + [Wire.frame(0x01, [0x61, 0xC3], mask: Wire.key), Wire.frame(0x80, [0x28], mask: Wire.key)]),
        ]
        + ProtocolViolationTests.violations.map { violation in
            Stream(
                name: violation.name, role: violation.role,
                frames: conversation(mask: violation.role == .server ? Wire.key : nil, bulk: 300) + [violation.bytes])
        }

    static func conversation(mask: [UInt8]?, bulk size: Int = 70_000) -> [[UInt8]] {
        let text = Array("{\"type\":\"session.updated\",\"note\":\"grüße 🎧\"}".utf8)
        let bulk = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        return [
            Wire.frame(0x81, text, mask: mask), Wire.frame(0x81, [], mask: mask),
            Wire.frame(0x82, Array(bulk[..<300]), mask: mask), Wire.frame(0x01, Array(text[..<38]), mask: mask),
            Wire.frame(0x89, [1, 2, 3], mask: mask), Wire.frame(0x00, Array(text[38..<42]), mask: mask),
            Wire.frame(0x8A, [], mask: mask), Wire.frame(0x00, Array(text[42...]), mask: mask),
            Wire.frame(0x80, [], mask: mask), Wire.frame(0x82, bulk, mask: mask), Wire.frame(0x89, [], mask: mask),
        ]
    }

    @Test(arguments: streams)
    func aStreamCutIntoPiecesOfOneSizeGivesTheSameEvents(stream: Stream) {
        let bytes = stream.bytes
        let whole = Decoded(bytes, role: stream.role)
        for size in [1, 2, 3, 5, 7, 13, 64, 1_000, 4_096] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(Decoded(pieces, role: stream.role) == whole, "pieces of \(size)")
        }
    }

    @Test(arguments: streams, 0...14)
    func aStreamCutAfterTheFirstBytesOfEachFrameGivesTheSameEvents(stream: Stream, offset: Int) {
        let bytes = stream.bytes
        var cuts: [Int] = []
        var start = 0
        for frame in stream.frames {
            cuts.append(start + min(offset, frame.count))
            start += frame.count
        }
        #expect(Decoded(pieces(of: bytes, at: cuts), role: stream.role) == Decoded(bytes, role: stream.role))
    }

    @Test(arguments: streams)
    func aStreamCutAtRandomGivesTheSameEvents(stream: Stream) {
        let bytes = stream.bytes
        let whole = Decoded(bytes, role: stream.role)
        for seed in UInt64(0)..<20 {
            var generator = SeededGenerator(seed: seed)
            let cuts = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
                Int.random(in: 0...bytes.count, using: &generator)
            }
            #expect(Decoded(pieces(of: bytes, at: cuts), role: stream.role) == whole, "seed \(seed)")
        }
    }

    private func pieces(of bytes: [UInt8], at cuts: [Int]) -> [ArraySlice<UInt8>] {
        let ends = cuts.sorted() + [bytes.count]
        return zip([0] + ends, ends).map { bytes[$0..<$1] }
    }
}
