/// Times a piece of work so that other processes disturb it little.
enum Stopwatch {
    /// The shortest time of one call in nanoseconds, over rounds of about 5 ms each: a neighbour can only make a round
    /// longer.
    static func nanoseconds(rounds: Int = 40, _ work: () -> Void) -> Double {
        let clock = ContinuousClock()
        var calls = 1
        while clock.measure({ for _ in 0..<calls { work() } }) < .milliseconds(5) { calls *= 2 }
        let times = (0..<rounds).map { _ in clock.measure { for _ in 0..<calls { work() } } }
        let (seconds, attoseconds) = (times.min() ?? .zero).components
        return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(calls)
    }
}

/// Keeps the optimiser from leaving out work whose result is not looked at.
@inline(never) @_optimize(none) func use<Value>(_ value: borrowing Value) {}
