import GlassesDomain

/// When the frames of a stream were at the device, from marks that jitter: the median of what each mark says of frame 0.
struct ClockFit: Sendable, Hashable {
    /// A frame and when it was at the device.
    struct Mark: Sendable, Hashable {
        let frame: Int64
        let time: MonotonicTime
    }

    /// When frame 0 was at the device, in nanoseconds of the monotonic clock.
    let origin: Int64
    /// How far the marks disagree, in milliseconds: nine of ten lie this close together.
    let spread: Double

    /// The fit of `marks` at `sampleRate` frames per second; nil without marks.
    init?(_ marks: [Mark], sampleRate: Int) {
        let origins = marks.map { $0.time.nanoseconds - $0.frame * 1_000_000_000 / Int64(sampleRate) }.sorted()
        guard !origins.isEmpty else { return nil }
        origin = origins[origins.count / 2]
        let (low, high) = (origins[origins.count / 20], origins[(origins.count - 1) - origins.count / 20])
        spread = Double(high - low) / 1_000_000
    }
}
