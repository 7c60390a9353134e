import GlassesDomain
import Synchronization

/// Waits for work that may never end, and for a limit, and goes on with what comes first; nothing waits for the other.
final class OutcomeRace<Outcome: Sendable>: Sendable {
    private let continuation = Mutex<CheckedContinuation<Outcome, Never>?>(nil)

    /// Starts `work`, which decides at most once, and answers its outcome; after `limit`, `abandon` is called and the outcome is `late`.
    func run(
        _ work: (@escaping @Sendable (Outcome) -> Void) -> Task<Void, Never>, limit: Duration, clock: ClockPort,
        executor: (any TaskExecutor)?, late: Outcome, abandon: @escaping @Sendable () -> Void
    ) async -> Outcome {
        let end = clock.now().advanced(by: limit)
        let watch = Mutex<Task<Void, Never>?>(nil)
        defer { watch.withLock { $0 }?.cancel() }
        return await withCheckedContinuation { continuation in
            self.continuation.withLock { $0 = continuation }
            _ = work { _ = self.decide($0) }
            let task = Task(executorPreference: executor) {
                do { try await clock.sleepUntil(end) } catch { return }
                if self.decide(late) { abandon() }
            }
            watch.withLock { $0 = task }
        }
    }

    private func decide(_ outcome: Outcome) -> Bool {
        let waiting = continuation.withLock { slot in
            defer { slot = nil }
            return slot
        }
        waiting?.resume(returning: outcome)
        return waiting != nil
    }
}
