import GlassesDomain

/// What the clocks did since somebody last looked: whether the machine slept, and whether the wall clock was set.
struct ClockWatch: Sendable {
    /// Less than this is the difference between two readings.
    static let leastSleep = Duration.milliseconds(500)
    /// A wall clock that is disciplined drifts by less.
    static let leastMove = 500 as Int64

    private var suspended: Duration
    private var offset: Int64

    init(_ clock: ClockPort) {
        suspended = clock.suspended()
        offset = Self.offset(clock)
    }

    /// How long the machine slept, and where the wall clock stands at the monotonic clock's zero; nil where nothing happened.
    mutating func look(at clock: ClockPort) -> (slept: Duration?, offset: Int64?) {
        let (suspended, offset) = (clock.suspended(), Self.offset(clock))
        let slept = suspended - self.suspended
        let hasMoved = (offset - self.offset).magnitude >= Self.leastMove.magnitude
        if slept >= Self.leastSleep { self.suspended = suspended }
        if hasMoved { self.offset = offset }
        return (slept >= Self.leastSleep ? slept : nil, hasMoved ? offset : nil)
    }

    private static func offset(_ clock: ClockPort) -> Int64 {
        clock.wallClockMilliseconds() - clock.now().nanoseconds / 1_000_000
    }
}
