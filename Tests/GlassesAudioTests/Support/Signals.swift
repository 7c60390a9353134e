import SeededRandom
import Foundation

/// Test signals, as samples of −1…1 until ``pcm(_:)`` makes them 16-bit.
enum Signals {
    static func sine(_ hertz: Double, seconds: Double, rate: Int, amplitude: Double = 0.5) -> [Double] {
        (0..<Int(seconds * Double(rate))).map { amplitude * sin(2 * .pi * hertz * Double($0) / Double(rate)) }
    }

    /// Gaussian white noise with the given RMS level.
    static func noise(dBFS: Double, seconds: Double, rate: Int, seed: UInt64 = 1) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        // Four 16-bit parts of one draw add up to nearly a Gaussian, of variance 1/3.
        let scale = pow(10, dBFS / 20) * 3.0.squareRoot() / 65_536
        var signal = [Double](repeating: 0, count: Int(seconds * Double(rate)))
        for index in signal.indices {
            let bits = generator.next()
            let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
            signal[index] = (Double(sum) - 131_070) * scale
        }
        return signal
    }

    static func silence(seconds: Double, rate: Int) -> [Double] {
        [Double](repeating: 0, count: Int(seconds * Double(rate)))
    }

    /// Something with the rhythm and the spectrum of speech: syllables of a 120 Hz voice through three formants, each
    /// led by a burst of hiss, about four a second with dips between them. `dBFS` is the peak of the loudest vowel.
    static func speech(seconds: Double, rate: Int, dBFS: Double = -10, seed: UInt64 = 7) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        let peak = pow(10, dBFS / 20)
        var signal: [Double] = []
        let total = Int(seconds * Double(rate))
        while signal.count < total {
            let length = Int(Double.random(in: 0.16..<0.26, using: &generator) * Double(rate))
            let pitch = Double.random(in: 100..<140, using: &generator)
            let loudness = peak * Double.random(in: 0.5..<1, using: &generator)
            let gains = harmonicGains(pitch: pitch, using: &generator)
            for index in 0..<length {
                let time = Double(index) / Double(rate)
                let envelope = pow(sin(.pi * Double(index) / Double(length)), 1.5)
                var value = 0.0
                for (hertz, gain) in gains { value += gain * sin(2 * .pi * hertz * time) }
                let hiss = time < 0.05 ? 0.1 * Double.random(in: -1..<1, using: &generator) : 0
                signal.append(loudness * (envelope * value / 2.5 + hiss))
            }
        }
        return Array(signal.prefix(total))
    }

    /// The partials of a voice that three formants let through.
    private static func harmonicGains(
        pitch: Double, using generator: inout SeededGenerator
    ) -> [(hertz: Double, gain: Double)] {
        let formants = [
            Double.random(in: 300..<800, using: &generator), Double.random(in: 1_000..<2_200, using: &generator), 2_600,
        ]
        let all = (1...25).map { harmonic in
            let hertz = pitch * Double(harmonic)
            let gain = formants.enumerated().reduce(0.0) { sum, formant in
                sum + exp(-pow((hertz - formant.element) / 120, 2)) / Double(formant.offset + 1)
            }
            return (hertz: hertz, gain: gain)
        }
        return all.filter { $0.gain > 0.05 }
    }

    static func pcm(_ signal: [Double]) -> [Int16] {
        signal.map { Int16(min(max(($0 * 32_767).rounded(), -32_768), 32_767)) }
    }

    /// Both signals added; the longer one decides the length.
    static func mix(_ first: [Double], _ second: [Double]) -> [Double] {
        (0..<max(first.count, second.count)).map {
            ($0 < first.count ? first[$0] : 0) + ($0 < second.count ? second[$0] : 0)
        }
    }

    /// The amplitude of one frequency (Goertzel), 0…1 of full scale.
    static func amplitude(of hertz: Double, in samples: [Int16], rate: Int) -> Double {
        let coefficient = 2 * cos(2 * .pi * hertz / Double(rate))
        var (before, last) = (0.0, 0.0)
        for sample in samples { (before, last) = (last, Double(sample) / 32_768 + coefficient * last - before) }
        let power = last * last + before * before - coefficient * last * before
        return 2 * max(power, 0).squareRoot() / Double(samples.count)
    }

    /// The strongest frequency of `candidates`.
    static func peak(in samples: [Int16], rate: Int, among candidates: [Double]) -> Double? {
        candidates.max {
            amplitude(of: $0, in: samples, rate: rate) < amplitude(of: $1, in: samples, rate: rate)
        }
    }
}
