import Foundation

/// Sounds without words, the same in every run.
public enum Noises {
    /// A small generator with a seed, so that a failure can be repeated.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    /// White noise; `amplitude` is its effective value.
    public static func white(seconds: Double, amplitude: Double, seed: UInt64 = 1) -> [Int16] {
        var generator = Generator(state: seed)
        return (0..<Int(seconds * 16_000)).map { _ in
            clipped(amplitude * Double.random(in: -1.7...1.7, using: &generator))
        }
    }

    /// Pink noise by Kellet's filter.
    public static func pink(seconds: Double, amplitude: Double, seed: UInt64 = 1) -> [Int16] {
        var generator = Generator(state: seed)
        let poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55, -0.7616]
        let gains = [0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522, -0.016898]
        var states = [Double](repeating: 0, count: poles.count)
        return (0..<Int(seconds * 16_000)).map { _ in
            let white = Double.random(in: -1.7...1.7, using: &generator)
            for index in states.indices { states[index] = poles[index] * states[index] + gains[index] * white }
            return clipped(amplitude * 0.5 * (states.reduce(0, +) + 0.5362 * white))
        }
    }

    /// Pink noise that comes and goes one and a half times a second, as breath or wind does.
    public static func gusts(seconds: Double, amplitude: Double, seed: UInt64 = 1) -> [Int16] {
        pink(seconds: seconds, amplitude: amplitude, seed: seed).enumerated().map { index, sample in
            let swing = sin(2 * .pi * 1.5 * Double(index) / 16_000)
            return clipped(Double(sample) * swing * swing)
        }
    }

    /// Mains hum with its third harmonic.
    public static func hum(seconds: Double, amplitude: Double) -> [Int16] {
        (0..<Int(seconds * 16_000)).map { index in
            let phase = 2 * .pi * 50 * Double(index) / 16_000
            return clipped(amplitude * (sin(phase) + 0.5 * sin(3 * phase)))
        }
    }

    /// Two loud clicks of 2 ms a second.
    public static func clicks(seconds: Double) -> [Int16] {
        (0..<Int(seconds * 16_000)).map { index in
            index % 8_000 < 32 ? (index.isMultiple(of: 2) ? 20_000 : -20_000) : 0
        }
    }

    private static func clipped(_ value: Double) -> Int16 { Int16(max(-32_768, min(32_767, value))) }
}
