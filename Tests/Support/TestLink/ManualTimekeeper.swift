import MWDATCore
import Synchronization

/// A clock that stands still until a test moves it.
package final class ManualTimekeeper: Timekeeper {
    private struct Entry {
        var due: Uptime
        var number: Int
        var body: @Sendable () -> Void
    }

    private struct State {
        var now = Uptime(nanoseconds: 0)
        var entries: [Entry] = []
        var numbers = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Uptime { state.withLock { $0.now } }

    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> any PendingTimer {
        let number = state.withLock { state in
            state.numbers += 1
            state.entries.append(Entry(due: state.now + delay, number: state.numbers, body: body))
            return state.numbers
        }
        return ManualTimer(keeper: self, number: number)
    }

    /// Moves on, and calls whatever comes due, in its order and at its time.
    package func advance(by delay: Duration) {
        let end = now + delay
        while let entry = takeDue(by: end) { entry.body() }
        state.withLock { $0.now = max($0.now, end) }
    }

    /// How many timers run.
    package var pending: Int { state.withLock { $0.entries.count } }

    private func takeDue(by end: Uptime) -> Entry? {
        state.withLock { state in
            let due = state.entries.filter { $0.due <= end }.min { ($0.due, $0.number) < ($1.due, $1.number) }
            guard let due else { return nil }
            state.entries.removeAll { $0.number == due.number }
            state.now = max(state.now, due.due)
            return due
        }
    }

    fileprivate func cancel(_ number: Int) {
        // What the body holds is let go outside the lock.
        let cancelled = state.withLock { state in
            defer { state.entries.removeAll { $0.number == number } }
            return state.entries.first { $0.number == number }?.body
        }
        withExtendedLifetime(cancelled) {}
    }
}

private struct ManualTimer: PendingTimer {
    let keeper: ManualTimekeeper
    let number: Int

    func cancel() { keeper.cancel(number) }
}
