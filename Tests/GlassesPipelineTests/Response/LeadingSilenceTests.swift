import Testing

@testable import GlassesPipeline

@Suite("The silence before an answer")
struct LeadingSilenceTests {
    private static let margin = LeadingSilence.margin

    /// What is heard of `samples` that come in pieces of `piece`.
    private static func heard(_ samples: [Int16], piece: Int) -> [Int16] {
        var silence = LeadingSilence()
        return stride(from: 0, to: samples.count, by: piece).flatMap { start in
            silence.trim(Array(samples[start..<min(start + piece, samples.count)]))
        }
    }

    private static func silent(_ count: Int) -> [Int16] { (0..<count).map { Int16($0 % 90) } }
    private static let speech = [Int16](repeating: -4_000, count: 3_000) + silent(20_000)

    @Test(
        "All but its last 10 ms is left out, and everything from the first sound on is heard",
        arguments: [0, 1, 239, 240, 241, 5_500, 23_000], [1, 100, 480, 100_000])
    func leftOut(length: Int, piece: Int) {
        let samples = Self.silent(length) + Self.speech
        #expect(Self.heard(samples, piece: piece) == Array(samples[max(0, length - Self.margin)...]))
    }

    @Test("What is silent for longer than a second goes on as it is", arguments: [1, 480, 100_000])
    func meant(piece: Int) {
        let samples = Self.silent(LeadingSilence.limit + 7_000) + Self.speech
        let expected = samples[(LeadingSilence.limit - Self.margin)...]
        let heard = Self.heard(samples, piece: piece)
        #expect(heard == Array(expected))
    }

    @Test("A sentence without a sound is left out")
    func mute() { #expect(Self.heard(Self.silent(10_000), piece: 480) == []) }
}
