import GlassesDomain
import Synchronization

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
    private struct State {
        var now = MonotonicTime.zero
        var lastNumber = 0
        var sleepers: [Int: (until: MonotonicTime, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Mutex(State())

    var port: ClockPort {
        ClockPort(
            now: { self.state.withLock(\.now) }, sleepUntil: { try await self.sleep(until: $0) },
            wallClockMilliseconds: { 0 })
    }

    /// How many tasks wait for a later moment.
    var sleeperCount: Int { state.withLock(\.sleepers.count) }

    /// How many waits ever began.
    var begunSleeps: Int { state.withLock(\.lastNumber) }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    private func sleep(until moment: MonotonicTime) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.now >= moment || Task.isCancelled { return true }
                    state.sleepers[number] = (moment, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
