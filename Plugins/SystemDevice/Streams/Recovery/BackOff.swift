/// How long to wait before the next attempt to open a device that went away.
///
/// 250 ms, doubled after each failed attempt up to 4 s: a replugged device is heard again at once, a missing one costs
/// nothing. A stream that ran for 5 s counts as good and starts again from the beginning.
struct BackOff: Equatable {
    static let shortest: Int64 = 250 * millisecond
    static let longest: Int64 = 4_000 * millisecond
    static let goodAfter: Int64 = 5_000 * millisecond

    private(set) var failures = 0

    /// The wait before the next attempt; each call counts one failure.
    mutating func next() -> Int64 {
        let wait = failures >= 4 ? Self.longest : Self.shortest << Int64(failures)
        failures += 1
        return wait
    }

    /// Counts a stream that ran for `duration` nanoseconds before it was lost.
    mutating func ran(for duration: Int64) {
        if duration >= Self.goodAfter { failures = 0 }
    }
}

/// Nanoseconds in a millisecond.
package let millisecond: Int64 = 1_000_000
