import Dispatch
import GlassesDomain
import Synchronization

/// A bounded wait for somebody else's function, which may never return and may ignore its cancellation.
enum FirstAnswer {
    /// It took too long.
    struct TimedOut: Error {}

    private typealias Waiter = CheckedContinuation<String, any Error>

    private final class Race: Sendable {
        private struct State {
            var waiter: Waiter?
            var result: Result<String, any Error>?
        }

        private let state = Mutex(State())

        func wait(_ waiter: Waiter) {
            let result = state.withLock { state in
                if state.result == nil { state.waiter = waiter }
                return state.result
            }
            if let result { waiter.resume(with: result) }
        }

        func finish(_ result: Result<String, any Error>) {
            let waiter = state.withLock { state -> Waiter? in
                guard state.result == nil else { return nil }
                state.result = result
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(with: result)
        }
    }

    /// What `source` answers within `limit`. After that, and when the caller is cancelled, its task is cancelled and no longer
    /// waited for.
    static func of(
        _ source: @escaping @Sendable () async throws -> String, within limit: Duration
    ) async throws -> String {
        let race = Race()
        let work = Task {
            do {
                race.finish(.success(try await source()))
            } catch {
                race.finish(.failure(error))
            }
        }
        // A Dispatch timer fires also while blocking code holds every thread of the task pool.
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { race.finish(.failure(TimedOut())) }
        timer.schedule(deadline: .now() + .nanoseconds(Int(limit.wholeNanoseconds)))
        timer.activate()
        defer {
            timer.cancel()
            work.cancel()
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { race.wait($0) }
        } onCancel: {
            race.finish(.failure(CancellationError()))
        }
    }
}
