import Glibc

/// CLOCK_MONOTONIC, the clock of the ABI's times.
enum Moment {
    /// Now.
    static func now() -> Duration { .nanoseconds(nanoseconds()) }

    /// Now, as the ABI writes it.
    static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Lets the plugin's threads run for a while.
    static func pause(_ duration: Duration) {
        let end = now() + duration
        while now() < end { usleep(2_000) }
    }

    /// Waits until `condition` holds, at most `limit`; false when it did not.
    static func wait(_ limit: Duration, until condition: () -> Bool) -> Bool {
        let end = now() + limit
        while !condition() {
            if now() >= end { return condition() }
            usleep(1_000)
        }
        return true
    }
}

extension Duration {
    /// Milliseconds, for sentences.
    var inMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
