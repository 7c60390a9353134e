/// Where the next block belongs in a recording that begins at time 0.
struct RecordingTimeline: Sendable, Hashable {
    /// Blocks come in bursts and up to 300 ms before they are heard; a larger gap is silence.
    static let tolerance = 0.5

    private let sampleRate: Int
    private var frames = 0

    /// An empty recording of `sampleRate` frames per second.
    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// The frames of silence that come before a block of `count` frames which arrived at `seconds`; the block counts as written.
    mutating func silence(before count: Int, at seconds: Double) -> Int {
        let due = Int(seconds * Double(sampleRate))
        let gap = due - frames
        let silence = Double(gap) > Self.tolerance * Double(sampleRate) ? gap : 0
        frames += silence + count
        return silence
    }
}
