import GlassesDomain

/// What a microphone heard in one round, with the device's times.
struct CaptureTrack: Sendable, Hashable {
    /// A block that begins this much later than the one before ended has a gap before it; less is jitter of the clock.
    static let gap: Duration = .milliseconds(20)
    /// A longer gap means that the device was away; its silence is not needed, the round is refused.
    static let longestGap: Duration = .seconds(10)

    /// Frames per second.
    let sampleRate: Int
    /// Everything heard; silence where audio is missing.
    private(set) var samples: [Int16] = []
    /// Times of frames of ``samples``.
    private(set) var marks: [ClockFit.Mark] = []
    /// Whether audio is missing.
    private(set) var hasGap = false

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Adds what was heard next.
    mutating func add(_ block: PCMBlock) {
        if let time = block.time {
            if let late = lateness(of: time), abs(late.seconds) > Self.gap.seconds {
                hasGap = true
                let missing = min(late, Self.longestGap).seconds * Double(sampleRate)
                samples += [Int16](repeating: 0, count: max(0, Int(missing)))
            }
            marks.append(ClockFit.Mark(frame: Int64(samples.count), time: time))
        }
        samples += block.samples
    }

    private func lateness(of time: MonotonicTime) -> Duration? {
        guard let last = marks.last else { return nil }
        let passed = (Int64(samples.count) - last.frame) * 1_000_000_000 / Int64(sampleRate)
        return last.time.advanced(by: .nanoseconds(passed)).duration(to: time)
    }
}
