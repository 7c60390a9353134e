import Foundation
import GlassesCore

@testable import glasses

/// A room without devices: sounds at exact places, noise, and what a microphone hears of both.
struct SoundStage {
    static let rate = 16_000

    /// The noise's peaks, 0…1.
    var noise: Double = 0.000_5
    private(set) var played: [Int16]
    private(set) var heard: [Double]

    /// Silence of `milliseconds`.
    init(milliseconds: Int) {
        played = [Int16](repeating: 0, count: milliseconds * Self.rate / 1_000)
        heard = [Double](repeating: 0, count: played.count)
    }

    /// A sound that begins and ends at once, with the rise and fall of syllables inside, whose speed goes with the pitch.
    static func speech(milliseconds: Int, peak: Double = 0.5, hertz: Double = 220) -> [Double] {
        (0..<milliseconds * rate / 1_000).map { index in
            let seconds = Double(index) / Double(rate)
            let syllable = 0.55 + 0.45 * cos(2 * .pi * seconds * hertz / 33)
            return peak * syllable * sin(2 * .pi * hertz * seconds + 0.5)
        }
    }

    /// The loudspeaker plays at a millisecond; the microphone hears it as an echo of this gain and lag that dies away in 50 ms.
    mutating func play(_ sound: [Double], at millisecond: Int, echo: Double = 0, lag: Int = 15) {
        let start = millisecond * Self.rate / 1_000
        for (index, value) in sound.enumerated() where start + index < played.count {
            played[start + index] = Int16(value * 32_767)
        }
        guard echo > 0 else { return }
        for reflection in 0..<10 {
            let gain = echo * pow(0.4, Double(reflection))
            hear(sound.map { $0 * gain }, at: millisecond + lag + 5 * reflection)
        }
    }

    /// Somebody else makes a sound at a millisecond.
    mutating func hear(_ sound: [Double], at millisecond: Int) {
        let start = millisecond * Self.rate / 1_000
        for (index, value) in sound.enumerated() where start + index < heard.count { heard[start + index] += value }
    }

    /// What the microphone heard, with noise and an offset.
    var recorded: [Int16] {
        var generator = StageNoise(state: 7)
        return heard.map { value in
            let noisy = value + Double.random(in: -noise...noise, using: &generator) + 0.01
            return Int16(max(-1, min(1, noisy)) * 32_767)
        }
    }

    /// The round with a question and perhaps an interruption at these milliseconds.
    func take(question: Range<Int>, interruption: Range<Int>? = nil) -> MeterTake {
        let recorded = SoundPeaks.peaks(of: recorded, sampleRate: Self.rate)
        return MeterTake(
            played: SoundPeaks.peaks(of: played, sampleRate: Self.rate), recorded: recorded,
            noise: SoundRule.noise(of: recorded[200..<900]), question: question, interruption: interruption)
    }
}

/// A generator with a seed, so that a failing run can be repeated.
private struct StageNoise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
