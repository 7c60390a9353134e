import GlassesDomain
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
    private struct Sleeper {
        let id: Int
        let moment: MonotonicTime
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Storage {
        var now = MonotonicTime.zero
        var sleepers: [Sleeper] = []
        var nextID = 0
        var cancelled: Set<Int> = []
        var suspended = Duration.zero
        var wallClockShift = 0 as Int64
    }

    private let storage = Mutex(Storage())

    /// A clock at `MonotonicTime.zero`.
    public init() {}

    /// The moment now.
    public var now: MonotonicTime { storage.withLock { $0.now } }

    /// How many tasks wait for a moment.
    public var sleeperCount: Int { storage.withLock { $0.sleepers.count } }

    /// The port that the runtime reads. Its wall clock begins at 2026-01-01 00:00:00 UTC.
    public var port: ClockPort {
        var port = ClockPort(
            now: { [self] in now }, sleepUntil: { [self] in try await sleep(until: $0) },
            wallClockMilliseconds: { [self] in
                storage.withLock { 1_767_225_600_000 + $0.now.nanoseconds / 1_000_000 + $0.wallClockShift }
            })
        port.suspended = { [self] in storage.withLock { $0.suspended } }
        return port
    }

    /// The machine sleeps for so long: only the wall clock goes on.
    public func suspend(for duration: Duration) {
        storage.withLock {
            $0.suspended += duration
            $0.wallClockShift += duration.wholeMilliseconds
        }
    }

    /// Somebody sets the wall clock forward, or back by less than zero.
    public func setWallClock(forwardBy duration: Duration) {
        storage.withLock { $0.wallClockShift += duration.wholeMilliseconds }
    }

    /// Moves the clock and wakes whoever waited for a moment up to then, in the order of the moments. It does not wait for what they do.
    public func advance(by duration: Duration) {
        let woken = storage.withLock { storage in
            storage.now = storage.now.advanced(by: duration)
            let now = storage.now
            let due = storage.sleepers.filter { $0.moment <= now }.sorted { ($0.moment, $0.id) < ($1.moment, $1.id) }
            storage.sleepers.removeAll { $0.moment <= now }
            return due
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Moves the clock by `duration` in `steps`, each followed by `settle`, in which the test lets the runtime work.
    public func advance(by duration: Duration, steps: Int, settle: () async -> Void) async {
        for _ in 0..<max(1, steps) {
            advance(by: duration / max(1, steps))
            await settle()
        }
    }

    private func sleep(until moment: MonotonicTime) async throws {
        let id = storage.withLock { storage in
            storage.nextID += 1
            return storage.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = storage.withLock { storage -> Result<Void, any Error>? in
                    if storage.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if moment <= storage.now { return .success(()) }
                    storage.sleepers.append(Sleeper(id: id, moment: moment, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = storage.withLock { storage -> Sleeper? in
                guard let index = storage.sleepers.firstIndex(where: { $0.id == id }) else {
                    storage.cancelled.insert(id)
                    return nil
                }
                return storage.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
