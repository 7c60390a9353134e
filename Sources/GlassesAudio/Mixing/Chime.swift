import Foundation

/// A short sound of one tone after another, such as a timer's ring.
public struct Chime: Sendable, Hashable {
    /// One tone of a chime; frequency 0 is a pause.
    public struct Tone: Sendable, Hashable {
        /// Frequency in Hz; at or above half the sample rate nothing is heard.
        public let frequency: Double
        /// Length in milliseconds, 0…10,000.
        public let milliseconds: Int

        /// A tone; a length outside its range is replaced by the nearest end.
        public init(frequency: Double, milliseconds: Int) {
            self.frequency = frequency
            self.milliseconds = min(max(milliseconds, 0), 10_000)
        }
    }

    /// The tones, in order.
    public let tones: [Tone]
    /// Peak amplitude, 0…1.
    public let amplitude: Double

    /// A chime; an amplitude outside 0…1 is replaced by the nearest end.
    public init(tones: [Tone], amplitude: Double = 0.4) {
        self.tones = tones
        self.amplitude = amplitude.isNaN ? 0 : min(max(amplitude, 0), 1)
    }

    /// The ring of a timer: two rising tones (A5, E6) and a pause, one second in all; repeat it for a longer ring.
    public static let timer = Chime(tones: [
        Tone(frequency: 880, milliseconds: 180), Tone(frequency: 1_318.5, milliseconds: 320),
        Tone(frequency: 0, milliseconds: 500),
    ])

    /// Every tone fades in and out within this time, so that it does not click.
    private static let fadeMs = 10

    /// The sound, mono.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` for a rate outside ``SampleRates/supported``.
    public func samples(sampleRate: Int) throws(AudioFormatError) -> [Int16] {
        try SampleRates.check(sampleRate)
        return tones.flatMap { samples(of: $0, sampleRate: sampleRate) }
    }

    private func samples(of tone: Tone, sampleRate: Int) -> [Int16] {
        let count = tone.milliseconds * sampleRate / 1_000
        let isAudible = tone.frequency > 0 && tone.frequency < Double(sampleRate) / 2
        guard isAudible else { return [Int16](repeating: 0, count: count) }
        let fade = Double(max(1, min(Self.fadeMs * sampleRate / 1_000, count / 2)))
        return (0..<count).map { index in
            let envelope = min(1, Double(index) / fade, Double(count - 1 - index) / fade)
            let phase = 2 * Double.pi * tone.frequency * Double(index) / Double(sampleRate)
            return Int16((sin(phase) * envelope * amplitude * 32_767).rounded())
        }
    }
}
