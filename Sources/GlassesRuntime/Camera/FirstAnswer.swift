import GlassesDomain
import Synchronization

/// The first of several answers to a request; the others find nobody.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case answered(Value)
        case taken
    }

    private let state = Mutex(State.open)

    /// Answers; false when that was done before. Callable on any thread.
    @discardableResult
    func resolve(_ value: Value) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .open:
                state = .answered(value)
                return (true, nil)
            case .awaited(let continuation):
                state = .taken
                return (true, continuation)
            case .answered, .taken: return (false, nil)
            }
        }
        waiting?.resume(returning: value)
        return isFirst
    }

    /// Waits for the first answer. One caller, once.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
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
