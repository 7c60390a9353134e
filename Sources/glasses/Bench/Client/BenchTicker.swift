import Foundation
import GlassesCore
import Synchronization

/// The 20 ms ticks of all sessions, on one thread of their own.
final class BenchTicker: Sendable {
    /// The time between two ticks of a session, in nanoseconds.
    static let period: Int64 = 20_000_000

    private let sessions: Int
    private let ticks: Int
    private let isCancelled = Atomic(false)

    /// Ticks each of `sessions` that many times.
    init(sessions: Int, ticks: Int) {
        self.sessions = sessions
        self.ticks = ticks
    }

    /// Calls `tick` with the session and the number of its tick, evenly spread from `start` on, and then `ended` on the same thread.
    /// What is late is made up for at once.
    func run(
        from start: MonotonicTime, tick: @escaping @Sendable (_ session: Int, _ number: Int) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        let thread = Thread { [self] in
            for number in 0..<ticks {
                for session in 0..<sessions {
                    let offset = Int64(number) * Self.period + Int64(session) * Self.period / Int64(sessions)
                    Self.sleep(until: start.nanoseconds + offset)
                    if isCancelled.load(ordering: .relaxed) { return ended() }
                    tick(session, number)
                }
            }
            // The last tick's 20 ms belong to the conversation too.
            Self.sleep(until: start.nanoseconds + Int64(ticks) * Self.period)
            ended()
        }
        thread.name = "bench-ticks"
        thread.start()
    }

    /// Ends at the next tick.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    private static func sleep(until nanoseconds: Int64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
