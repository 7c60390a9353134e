import Foundation
import GlassesDomain

/// The monotonic time since something began.
struct Stopwatch: Sendable {
    private let start = Stopwatch.now

    /// Now, by CLOCK_MONOTONIC.
    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Seconds since it began.
    var seconds: Double { start.duration(to: Self.now).seconds }
}
