import GlassesDomain

/// Chooses frames of a stream so that a given number a second is left, evenly spread.
struct FrameThinning: Sendable {
    private var due: MonotonicTime?

    /// Whether a frame that was exposed at `time` is wanted at `rate` frames a second.
    mutating func accepts(_ time: MonotonicTime, rate: Int) -> Bool {
        let period = Duration.nanoseconds(1_000_000_000 / Int64(max(1, rate)))
        // Half a period early still counts: a camera's frames jitter, and none at the full rate may be lost.
        guard let due, time.duration(to: due) <= period * 2 else {
            // The first one, or one of a stream whose clock lies before everything so far.
            self.due = time.advanced(by: period)
            return true
        }
        guard time.advanced(by: period / 2) >= due else { return false }
        // After a gap the count begins anew, so that no burst follows.
        self.due = max(due.advanced(by: period), time.advanced(by: period / 2))
        return true
    }
}
