import Dispatch
import Glibc
import GlassesDomain
import Synchronization

/// The machine's own clocks.
enum LiveClock {
    static let port: ClockPort = {
        var port = ClockPort(now: now, sleepUntil: sleep(until:), wallClockMilliseconds: wallClockMilliseconds)
        port.suspended = suspended
        return port
    }()

    static let queue = DispatchQueue(label: "org.extentos.clock", qos: .userInteractive)

    /// CLOCK_MONOTONIC, the clock of the plugin ABI.
    static func now() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// What CLOCK_BOOTTIME has counted more than CLOCK_MONOTONIC.
    private static func suspended() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let sinceBoot = MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        return max(.zero, now().duration(to: sinceBoot))
    }

    private static func wallClockMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// A Dispatch timer and not `Task.sleep`, whose timers fire on the shared pool, which an app may have blocked.
    private static func sleep(until moment: MonotonicTime) async throws {
        try Task.checkCancellation()
        let timer = OneShotTimer()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { timer.start($0, after: now().duration(to: moment)) }
        } onCancel: {
            timer.cancel()
        }
    }
}

/// A timer that ends a wait once: by firing or by being cancelled.
private final class OneShotTimer: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, any Error>)
        case ended
    }

    private let state = Mutex(State.idle)

    func start(_ continuation: CheckedContinuation<Void, any Error>, after delay: Duration) {
        let isCancelled = state.withLock { state in
            guard case .idle = state else { return true }
            state = .waiting(continuation)
            return false
        }
        guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
        let nanoseconds = Int(clamping: max(.zero, delay).wholeNanoseconds)
        LiveClock.queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in end(.success(())) }
    }

    func cancel() { end(.failure(CancellationError())) }

    private func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation } else { return nil }
        }
        continuation?.resume(with: result)
    }
}
