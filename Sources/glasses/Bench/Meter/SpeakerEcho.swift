import Foundation

/// How the microphone hears the meter's own loudspeaker.
struct SpeakerEcho: Sendable, Hashable {
    /// How much later, in milliseconds.
    let lag: Int
    /// The part of the played magnitude that is recorded.
    let gain: Float

    /// The longest way from loudspeaker to microphone, with delays that the devices do not report.
    private static let longestLag = 300
    /// Envelopes are compared by pieces of this many milliseconds.
    private static let step = 10
    /// From this correlation on the envelopes are the same sound. Speech of two speakers stays below 0.5.
    private static let same = 0.7

    /// Finds the sound that was played in `range` again in `recorded`; nil when it is not heard above `threshold`.
    static func find(_ played: [Float], in recorded: [Float], range: Range<Int>, threshold: Float) -> SpeakerEcho? {
        let reference = envelope(played, range)
        var best: (lag: Int, correlation: Double) = (0, 0)
        for lag in stride(from: 0, through: longestLag, by: step) {
            let heard = range.lowerBound + lag..<range.upperBound + lag
            let correlation = correlation(reference, envelope(recorded, heard))
            if correlation > best.correlation { best = (lag, correlation) }
        }
        let heard = range.lowerBound + best.lag..<min(range.upperBound + best.lag, recorded.count)
        guard best.correlation >= same, !heard.isEmpty, let loudest = recorded[heard].max(), loudest >= threshold,
            let source = played[range].max(), source > 0
        else { return nil }
        return SpeakerEcho(lag: best.lag, gain: loudest / source)
    }

    private static func envelope(_ peaks: [Float], _ range: Range<Int>) -> [Double] {
        stride(from: range.lowerBound, to: range.upperBound, by: step).map { start in
            let piece = peaks[min(start, peaks.count)..<min(start + step, peaks.count)]
            return Double(piece.max() ?? 0)
        }
    }

    private static func correlation(_ first: [Double], _ second: [Double]) -> Double {
        let count = Double(min(first.count, second.count))
        guard count > 1 else { return 0 }
        let (mean1, mean2) = (first.reduce(0, +) / count, second.reduce(0, +) / count)
        var (product, square1, square2) = (0.0, 0.0, 0.0)
        for (one, two) in zip(first, second) {
            product += (one - mean1) * (two - mean2)
            square1 += (one - mean1) * (one - mean1)
            square2 += (two - mean2) * (two - mean2)
        }
        let scale = (square1 * square2).squareRoot()
        return scale > 0 ? product / scale : 0
    }
}
