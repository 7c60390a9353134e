import GlassesDomain

/// The times of a stream's pictures: number n is due n periods after the start, so that nothing adds up.
struct FeedPacer: Sendable, Equatable {
    private let start: MonotonicTime
    private let rate: Int
    private let first: UInt64
    private(set) var number: UInt64

    /// Picture `first` is due at `start`.
    init(rate: Int, from start: MonotonicTime, number first: UInt64 = 0) {
        self.start = start
        self.rate = max(1, rate)
        self.first = first
        number = first
    }

    /// When the next picture is due.
    var due: MonotonicTime {
        let (seconds, rest) = Int64(number - first).quotientAndRemainder(dividingBy: Int64(rate))
        return start.advanced(by: .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(rate)))
    }

    /// The next picture was made. After a pause of the machine those that are a period late are left out.
    mutating func advance(at now: MonotonicTime) {
        number += 1
        let period = 1_000_000_000 / Int64(rate)
        let late = due.duration(to: now).wholeNanoseconds
        if late > period { number += UInt64(late / period) }
    }
}
