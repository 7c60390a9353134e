/// A moment on the machine's monotonic clock (CLOCK_MONOTONIC), comparable within one boot.
public struct MonotonicTime: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds since an arbitrary start, the unit of every `t_ns` in the plugin ABI.
    public var nanoseconds: Int64

    /// The moment `nanoseconds` after the clock's start.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's start; the natural first moment of a manual clock.
    public static let zero = MonotonicTime(nanoseconds: 0)

    /// Whether `lhs` came before `rhs`.
    public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// The moment `duration` later; saturates at the ends of the range.
    public func advanced(by duration: Duration) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return MonotonicTime(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from this moment to `other`; negative when `other` is earlier.
    public func duration(to other: MonotonicTime) -> Duration {
        .nanoseconds(other.nanoseconds.subtractingReportingOverflow(nanoseconds).partialValue)
    }
}

extension Duration {
    /// This duration in whole nanoseconds, rounded toward zero and saturating at ±292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, more) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || more ? (seconds < 0 ? .min : .max) : sum
    }

    /// This duration in whole milliseconds, rounded toward zero.
    public var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }

    /// This duration in seconds.
    public var seconds: Double { Double(wholeNanoseconds) / 1e9 }

    /// `value` seconds, to the nanosecond.
    public static func fromSeconds(_ value: Double) -> Duration {
        guard value.isFinite else { return value > 0 ? .nanoseconds(Int64.max) : .zero }
        let clamped = min(max(value * 1e9, -9.0e18), 9.0e18)
        return .nanoseconds(Int64(clamped))
    }
}
