import Synchronization

/// One listener, and whether it is being called.
final class ListenerCell<T: Sendable>: Sendable {
    private struct State {
        var isCancelled = false
        var calls = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let body: @Sendable (T) -> Void
    private let ended: (@Sendable () -> Void)?
    private let state = Mutex(State())

    /// A listener; `ended` is called when its source has nothing more to tell.
    init(_ body: @escaping @Sendable (T) -> Void, ended: (@Sendable () -> Void)? = nil) {
        self.body = body
        self.ended = ended
    }

    /// Tells the listener that nothing more comes. Not under a lock.
    func end() { ended?() }

    /// Calls the listener unless it is cancelled.
    func deliver(_ value: T) {
        let begins = state.withLock { state in
            guard !state.isCancelled else { return false }
            state.calls += 1
            return true
        }
        guard begins else { return }
        body(value)
        let waiters = state.withLock { state in
            state.calls -= 1
            guard state.calls == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Cancels, and returns when no call is under way.
    func cancelAndWait() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.isCancelled = true
                if state.calls > 0 { state.waiters.append(continuation) }
                return state.calls == 0
            }
            if isDone { continuation.resume() }
        }
    }
}
