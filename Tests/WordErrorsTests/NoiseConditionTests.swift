import Foundation
import Testing

@testable import word_errors

@Suite struct NoiseConditionTests {
    /// Half a second of a tone between silences: its pauses must not count as its level.
    private static let speech =
        [Int16](repeating: 0, count: 8_000)
        + (0..<8_000).map { Int16(6_000 * sin(2 * .pi * 300 * Double($0) / 16_000)) }
        + [Int16](repeating: 0, count: 8_000)

    private func power(_ samples: some Collection<Int16>) -> Double {
        samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }

    @Test(arguments: [15.0, 10.0])
    func pinkNoiseLiesThatFarBelowTheSpeech(decibels: Double) {
        let clean = NoiseCondition.clean.apply(to: Self.speech, seed: 3)
        let noisy = NoiseCondition.pink(decibels).apply(to: Self.speech, seed: 3)
        #expect(noisy.count == clean.count)
        let noise = zip(noisy, clean).map { Int16($0 - $1) }
        let ratio = 10 * log10(6_000.0 * 6_000 / 2 / power(noise))
        #expect(abs(ratio - decibels) < 0.5, "\(ratio) dB")
    }

    @Test func aRecordingHasQuietAroundItAndTheSameNoiseInEveryRun() {
        let clean = NoiseCondition.clean.apply(to: [1, 2, 3], seed: 1)
        #expect(clean.count == 4_800 + 3 + 8_000)
        #expect(Array(clean[4_800..<4_803]) == [1, 2, 3])
        let noisy = { (seed: UInt64) in NoiseCondition.pink(10).apply(to: Self.speech, seed: seed) }
        #expect(noisy(1) == noisy(1))
        #expect(noisy(1) != noisy(2))
    }
}
