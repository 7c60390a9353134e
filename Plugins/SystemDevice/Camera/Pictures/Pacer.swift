import SystemDeviceStreams

/// The times of a stream's pictures: number n is due n periods after the start, so that nothing adds up.
struct Pacer {
    private let start: Int64
    private let rate: Int64
    private(set) var number: UInt64 = 0

    /// The first picture is due at `start`, in nanoseconds of the monotonic clock.
    init(rate: Int, from start: Int64) {
        self.start = start
        self.rate = Int64(max(rate, 1))
    }

    /// When the next picture is due.
    var due: Int64 {
        let (seconds, rest) = Int64(number).quotientAndRemainder(dividingBy: rate)
        return start + seconds * 1_000 * millisecond + rest * 1_000 * millisecond / rate
    }

    /// The next picture was written. After a pause of the machine those that are a period late are left out.
    mutating func advance(at now: Int64) {
        number += 1
        let period = 1_000 * millisecond / rate
        let late = now - due
        if late > period { number += UInt64(late / period) }
    }
}
