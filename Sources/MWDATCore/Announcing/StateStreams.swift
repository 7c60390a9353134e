import Synchronization

/// The live streams of one value: each begins with the current one, and all end together.
///
/// A stream that ends never takes this lock, since it ends while its task is locked, and ``send(_:)`` holds the lock while it
/// waits for that task.
package final class StateStreams<T: Sendable>: Sendable {
    private struct State {
        var current: T?
        var continuations: [Int: AsyncStream<T>.Continuation] = [:]
        var nextID = 0
        var isFinished = false
    }

    /// A stream keeps the newest values that are not read: 256 states are more than any reader is behind by.
    private static var bound: Int { 256 }

    private let isState: Bool
    private let state: Mutex<State>
    private let ended = EndedStreams()

    /// The streams of a state, which now is `value`.
    package init(of value: T) {
        isState = true
        state = Mutex(State(current: value))
    }

    /// The streams of events, of which none is current.
    package init() {
        isState = false
        state = Mutex(State())
    }

    /// A stream that begins with the current value. After ``finish()`` it has the last value only.
    package func stream() -> AsyncStream<T> {
        let (stream, continuation) = AsyncStream.makeStream(of: T.self, bufferingPolicy: .bufferingNewest(Self.bound))
        let id: Int? = state.withLock { state in
            if let current = state.current { continuation.yield(current) }
            guard !state.isFinished else { return nil }
            forgetEnded(&state)
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [ended] _ in ended.add(id) }
        return stream
    }

    /// Changes the value. Nothing happens after ``finish()``.
    package func send(_ value: T) {
        state.withLock { state in
            guard !state.isFinished else { return }
            if isState { state.current = value }
            forgetEnded(&state)
            for continuation in state.continuations.values { continuation.yield(value) }
        }
    }

    /// Ends every stream after what it has not read yet.
    package func finish() {
        let continuations = state.withLock { state in
            state.isFinished = true
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }

    private func forgetEnded(_ state: inout State) { for id in ended.take() { state.continuations[id] = nil } }
}

/// The streams that have ended since the source looked last; a lock of its own, under which nothing is delivered.
private final class EndedStreams: Sendable {
    private let ids = Mutex<[Int]>([])

    func add(_ id: Int) { ids.withLock { $0.append(id) } }

    func take() -> [Int] {
        ids.withLock { ids in
            defer { ids = [] }
            return ids
        }
    }
}
