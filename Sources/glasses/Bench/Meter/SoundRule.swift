/// What counts as sound: the one rule by which the meters find first and last voiced samples. Times are whole milliseconds.
///
/// A millisecond is loud when its peak reaches the threshold: twice the noise (6 dB), and at least 1 % (−40 dB) of the loudest peak of
/// the sound itself, so that a recording without noise is judged as one with little. Loud milliseconds with gaps of up to
/// ``joinedGap`` are one sound; with fewer than ``shortest`` loud ones it is a click and does not count.
enum SoundRule {
    /// A peak below this (−60 dBFS) is silence whatever the noise is.
    static let floor: Float = 0.001
    /// How far the threshold lies above the noise.
    static let aboveNoise: Float = 2
    /// The part of a sound's loudest peak that still belongs to it.
    static let share: Float = 0.01
    /// The longest gap inside a word, such as the closure of a stop consonant, in milliseconds.
    static let joinedGap = 60
    /// Fewer loud milliseconds than this are a click.
    static let shortest = 15

    /// The noise in the peaks of a quiet time: what 99 of 100 milliseconds stay under.
    static func noise(of quiet: some Collection<Float>) -> Float { percentile(0.99, of: quiet) }

    /// Whether peaks are those of a steady noise or of silence: of 10 ms each, all but a click hardly rise above the softer ones.
    /// Speech dips by more than 10 dB several times a second, also in noise that the meters can work with.
    static func isSteady(_ peaks: some RandomAccessCollection<Float>) -> Bool {
        var tens: [Float] = []
        var place = peaks.startIndex
        while let end = peaks.index(place, offsetBy: 10, limitedBy: peaks.endIndex) {
            tens.append(peaks[place..<end].max() ?? 0)
            place = end
        }
        let loud = percentile(0.99, of: tens)
        return loud <= floor || loud <= 3 * percentile(0.1, of: tens)
    }

    /// The threshold over `noise`, before anything is known of the sound.
    static func threshold(noise: Float) -> Float { max(floor, aboveNoise * noise) }

    /// The sounds in `peaks` at a threshold, in order. Gaps of up to `gap` milliseconds are inside a sound.
    static func sounds(in peaks: [Float], threshold: Float, gap: Int = joinedGap) -> [Range<Int>] {
        var sounds: [(range: Range<Int>, loud: Int)] = []
        for (index, peak) in peaks.enumerated() where peak >= threshold {
            if let last = sounds.last, index - last.range.upperBound <= gap {
                sounds[sounds.count - 1] = (last.range.lowerBound..<index + 1, last.loud + 1)
            } else {
                sounds.append((index..<index + 1, 1))
            }
        }
        return sounds.filter { $0.loud >= shortest }.map(\.range)
    }

    /// The value that this share of the values does not exceed; 0 for none.
    static func percentile(_ share: Double, of values: some Collection<Float>) -> Float {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank - 1, 0), sorted.count - 1)]
    }
}
