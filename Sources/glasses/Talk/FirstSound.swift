import GlassesCore
import Synchronization

/// Notices the first block of the microphone: the proof that it is open.
final class FirstSound: Sendable {
    /// A device that opened delivers within a few periods; a hung sound server never does.
    private static let limit: Duration = .seconds(5)

    private let isThere = Atomic(false)

    /// A block came; callable on any thread.
    func arrived() { isThere.store(true, ordering: .relaxed) }

    /// Waits for the first block, 5 s at most; false when none came.
    func wait() async -> Bool {
        let start = Stopwatch.now
        while !isThere.load(ordering: .relaxed) {
            guard start.duration(to: Stopwatch.now) < Self.limit else { return false }
            // Only the end of the program cancels the wait, and then the answer is not used.
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
        }
        return true
    }
}
