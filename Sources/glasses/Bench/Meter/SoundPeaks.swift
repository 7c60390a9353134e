/// How far a mono signal swings in each millisecond: half the distance between its largest and its smallest sample, 0…1.
///
/// An offset does not count, and the slow swings of hum and rumble hardly do; unlike a filter it leaves no tail behind a sound that is
/// cut.
struct SoundPeaks: Sendable, Hashable {
    /// Samples of a millisecond.
    private let blockLength: Int
    private var low = Int16.max
    private var high = Int16.min
    private var count = 0

    /// Peaks of a signal of `sampleRate` frames per second, at least 2,000.
    init(sampleRate: Int) { blockLength = max(2, sampleRate / 1_000) }

    /// The peaks of the milliseconds that `samples` complete.
    mutating func add(_ samples: some Sequence<Int16>) -> [Float] {
        var peaks: [Float] = []
        for sample in samples {
            low = min(low, sample)
            high = max(high, sample)
            count += 1
            if count == blockLength {
                peaks.append((Float(high) - Float(low)) / 65_536)
                (low, high, count) = (.max, .min, 0)
            }
        }
        return peaks
    }

    /// The peaks of a whole signal.
    static func peaks(of samples: [Int16], sampleRate: Int) -> [Float] {
        var peaks = SoundPeaks(sampleRate: sampleRate)
        return peaks.add(samples)
    }
}
