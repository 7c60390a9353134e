/// How loud the part of a playout was that has just been heard: levels by the frames of the loudspeaker, so that they follow the
/// playout clock and not what was written ahead of it.
///
/// Gathers stretches of 10 ms in a fixed ring; after the initialiser it allocates nothing.
public struct PlayoutLevels: Sendable, Hashable {
    /// Stretches that are remembered, 1.28 s: several times as much as any loudspeaker is kept ahead.
    public static let stretchLimit = 128
    private static let stretchesPerSecond = 100

    private struct Stretch: Sendable, Hashable {
        var number: Int64 = -1
        var squares: Double = 0
    }

    private let stretchFrames: Int64
    private var stretches = [Stretch](repeating: Stretch(), count: stretchLimit)
    /// The first stretch that was measured from its beginning on, and the first that was not asked about yet.
    private var firstMeasured: Int64 = 0
    private var next: Int64 = 0

    /// Levels for a loudspeaker of so many frames per second; at least 100.
    public init(speakerRate: Int) { stretchFrames = Int64(max(speakerRate / Self.stretchesPerSecond, 1)) }

    /// Measuring begins: everything from `written` on is measured, and the loudspeaker is at `heard`.
    public mutating func begin(written: Int64, heard: Int64) {
        firstMeasured = (written + stretchFrames - 1) / stretchFrames
        skip(to: heard)
    }

    /// Samples were written at `frame`; what is left out counts as silence.
    public mutating func add(_ samples: Span<Int16>, at frame: Int64) {
        for index in samples.indices {
            let number = (frame + Int64(index)) / stretchFrames
            let place = Int(number % Int64(Self.stretchLimit))
            if stretches[place].number != number { stretches[place] = Stretch(number: number) }
            let sample = Double(samples[index])
            stretches[place].squares += sample * sample
        }
    }

    /// The loudspeaker jumped, as over flushed frames.
    public mutating func skip(to heard: Int64) { next = heard / stretchFrames }

    /// The root mean square, 0…1, of what was heard since the last call; 0 when nothing was, nil when it was not measured.
    public mutating func take(heardThrough frame: Int64) -> Float? {
        let end = frame / stretchFrames
        guard end > next else { return 0 }
        let first = max(next, end - Int64(Self.stretchLimit))
        next = end
        guard first >= firstMeasured else { return nil }
        var squares = 0.0
        for number in first..<end {
            let stretch = stretches[Int(number % Int64(Self.stretchLimit))]
            if stretch.number == number { squares += stretch.squares }
        }
        let mean = squares / Double((end - first) * stretchFrames)
        return Float(min(mean.squareRoot() / 32_768, 1))
    }
}
