import Synchronization

/// The first of several answers to one question; the others find nobody.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case answered(Value)
        case taken
    }

    private let state = Mutex(State.open)

    /// Answers; later answers do nothing. Any thread.
    func resolve(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .open: state = .answered(value)
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .answered, .taken: break
            }
            return nil
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the first answer, or for `late` after `limit`. One caller, once.
    func value(within limit: Duration, late: Value) async -> Value {
        let timer = Task {
            // Cancelled: the answer came in time.
            do { try await Task.sleep(for: limit) } catch { return }
            resolve(late)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let answered = state.withLock { state -> Value? in
                if case .answered(let value) = state {
                    state = .taken
                    return value
                }
                state = .awaited(continuation)
                return nil
            }
            if let answered { continuation.resume(returning: answered) }
        }
    }
}
