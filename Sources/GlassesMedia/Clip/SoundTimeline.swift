/// Puts pieces of sound with times into one unbroken line that begins with the first picture.
struct SoundTimeline: Equatable {
    /// What has to be added to the line next.
    struct Step: Equatable {
        /// Samples of silence before the piece.
        var silence: Int
        /// The part of the piece that is heard.
        var part: Range<Int>
    }

    /// Times that differ by less are a clock's jitter, not a gap: 20 ms, one piece of a microphone, which nobody notices between
    /// lips and words.
    static let toleranceMilliseconds = 20

    /// Samples a second.
    let rate: Int
    /// Samples in the line so far.
    private(set) var count = 0

    init(rate: Int) { self.rate = rate }

    /// Adds a piece of `count` samples that was heard `nanoseconds` after the first picture, or before it if that is negative.
    mutating func add(_ pieceCount: Int, at nanoseconds: Int64) -> Step {
        let tolerance = rate * Self.toleranceMilliseconds / 1_000
        let start = samples(in: nanoseconds)
        let end = start.addingReportingOverflow(pieceCount)
        guard !end.overflow, end.partialValue > 0 else { return Step(silence: 0, part: 0..<0) }
        if start > count + tolerance {
            let silence = start - count
            count = end.partialValue
            return Step(silence: silence, part: 0..<pieceCount)
        }
        // Before the first picture nothing is heard, be it by one sample; later only what was late by more than the jitter is cut.
        let isLate = start < count - tolerance || (count == 0 && start < 0)
        let cut = isLate ? min(pieceCount, count - start) : 0
        count += pieceCount - cut
        return Step(silence: 0, part: cut..<pieceCount)
    }

    /// Silence from the line's end to a moment; 0 when it reaches further.
    mutating func pad(to nanoseconds: Int64) -> Int {
        let missing = max(0, samples(in: nanoseconds) - count)
        count += missing
        return missing
    }

    /// Whole samples, rounded to the nearest.
    private func samples(in nanoseconds: Int64) -> Int {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int(seconds) * rate + Int((Double(rest) * Double(rate) / 1e9).rounded())
    }
}
