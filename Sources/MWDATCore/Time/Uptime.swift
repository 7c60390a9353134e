/// A moment on the machine's monotonic clock.
package struct Uptime: Sendable, Hashable, Comparable {
    /// Nanoseconds since an unknown moment.
    package var nanoseconds: Int64

    /// A moment that many nanoseconds after the clock's beginning.
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (lhs: Uptime, rhs: Uptime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
    package static func + (moment: Uptime, delay: Duration) -> Uptime {
        Uptime(nanoseconds: moment.nanoseconds + delay.nanoseconds)
    }
    package static func - (lhs: Uptime, rhs: Uptime) -> Duration {
        .nanoseconds(lhs.nanoseconds - rhs.nanoseconds)
    }
}

extension Duration {
    /// Whole nanoseconds; good for 292 years.
    package var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
