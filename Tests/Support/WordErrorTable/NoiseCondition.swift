import Foundation
import SpokenSamples

/// What a recording is mixed with before it is recognised.
enum NoiseCondition: Sendable, Hashable {
    case clean
    /// Pink noise this many dB below the speech.
    case pink(Double)

    static let all: [NoiseCondition] = [.clean, .pink(15), .pink(10)]

    /// The name in the table.
    var name: String {
        switch self {
        case .clean: "clean"
        case .pink(let decibels): "pink noise, \(Int(decibels)) dB"
        }
    }

    /// Frames before and after the speech, as a microphone has them: what the assistant keeps before an utterance, and the silence that
    /// ends one.
    private static let (before, after) = (300 * 16, 500 * 16)
    /// The level of speech is taken where it is at most this far below its loudest 20 ms.
    private static let activeRange = 30.0
    private static let frame = 320

    /// A recording in this noise. `seed` draws the noise, so that every recording has its own and every run the same.
    func apply(to speech: [Int16], seed: UInt64) -> [Int16] {
        let padded =
            [Int16](repeating: 0, count: Self.before) + speech + [Int16](repeating: 0, count: Self.after)
        guard case .pink(let decibels) = self else { return padded }
        let noise = Noises.pink(seconds: Double(padded.count + 1) / 16_000, amplitude: 1_000, seed: seed)
        let power = noise.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(noise.count, 1))
        let gain = (Self.activePower(of: speech) / pow(10, decibels / 10) / power).squareRoot()
        return zip(padded, noise).map { Int16(max(-32_768, min(32_767, Double($0) + gain * Double($1)))) }
    }

    /// The mean power of the speech without its pauses.
    static func activePower(of speech: [Int16]) -> Double {
        let powers = stride(from: 0, to: speech.count, by: frame).map { start in
            let piece = speech[start..<min(start + frame, speech.count)]
            return piece.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(piece.count)
        }
        let active = powers.filter { $0 >= (powers.max() ?? 0) / pow(10, activeRange / 10) }
        return active.isEmpty ? 0 : active.reduce(0, +) / Double(active.count)
    }
}
