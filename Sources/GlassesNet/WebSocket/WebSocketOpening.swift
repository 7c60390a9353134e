import Synchronization

/// An attempt to open a WebSocket.
public final class WebSocketOpening: Sendable {
    private struct State {
        var address: LoopAddress?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Gives the attempt up, whatever it waits for: it ends at once with the code `cancelled`. One that has ended already is
    /// not touched. Callable on any thread.
    public func cancel() {
        let address = state.withLock { state in
            state.isCancelled = true
            return state.address
        }
        address?.wake()
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func attach(_ address: LoopAddress) {
        let isCancelled = state.withLock { state in
            state.address = address
            return state.isCancelled
        }
        if isCancelled { address.wake() }
    }
}

/// Joins a task's cancellation, which may come before the attempt is known, with the attempt.
final class PendingOpening: Sendable {
    private struct State {
        var opening: WebSocketOpening?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func started(_ opening: WebSocketOpening) {
        let isCancelled = state.withLock { state in
            state.opening = opening
            return state.isCancelled
        }
        if isCancelled { opening.cancel() }
    }

    func cancel() {
        let opening = state.withLock { state in
            state.isCancelled = true
            return state.opening
        }
        opening?.cancel()
    }
}
