import Glibc
import GlassesDomain

/// The monotonic clock of the plugin ABI.
enum SystemClock {
    static func now() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}

extension Duration {
    /// The same length in the other direction.
    static prefix func - (duration: Duration) -> Duration { .zero - duration }
}
