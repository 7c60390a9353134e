import Dispatch
import Synchronization

/// The listeners of one source, which are told in order on a serial queue.
package final class ListenerStore<T: Sendable>: Announcer {
    private struct Announcement: Sendable {
        var value: T
        var cells: [ListenerCell<T>]
    }

    private struct State {
        var cells: [ListenerCell<T>] = []
        /// What has not been told yet, each with those who listened when it happened.
        var pending: [Announcement] = []
        var dropped = 0
        /// Listeners that ended before what they would have been told was dropped: they go on the queue, where no lock is held.
        var orphans: [ListenerCell<T>] = []
        var hasWarned = false
        var isFinished = false

        func holds(_ cell: ListenerCell<T>) -> Bool {
            cells.contains { $0 === cell } || orphans.contains { $0 === cell }
        }
    }

    private let queue: DispatchQueue
    private let name: String
    private let bound: Int
    private let rule: TokenRule
    private let state = Mutex(State())

    /// A store without listeners. Of more than `bound` values that are not told yet the oldest are dropped: 256 states are more than
    /// any listener is behind by; a source of frames sets its own.
    package init(
        _ name: String, on queue: DispatchQueue, bound: Int = 256, rule: TokenRule = .ofProcess
    ) {
        self.name = name
        self.queue = queue
        self.bound = bound
        self.rule = rule
    }

    package func listen(_ listener: @escaping @Sendable (T) -> Void) -> any AnyListenerToken {
        listen(startingWith: nil, listener)
    }

    /// Adds a listener, which is first told `value`.
    package func listen(startingWith value: T?, _ listener: @escaping @Sendable (T) -> Void) -> any AnyListenerToken {
        let cell = ListenerCell(listener)
        add(cell, startingWith: value)
        return ListenerToken(cell: cell, store: self, rule: rule)
    }

    /// Everything that is announced from now on; keeps the newest 256 that are not read. It ends with its reader, and after the last
    /// announcement when the store is finished.
    package var stream: AsyncStream<T> {
        let (stream, continuation) = AsyncStream.makeStream(of: T.self, bufferingPolicy: .bufferingNewest(256))
        let cell = ListenerCell({ continuation.yield($0) }, ended: { continuation.finish() })
        let token = ListenerToken(cell: cell, store: self, rule: rule)
        // Before the listener is added: adding it to a finished store ends the stream.
        continuation.onTermination = { _ in token.cancelAtOnce() }
        add(cell, startingWith: nil)
        return stream
    }

    private func add(_ cell: ListenerCell<T>, startingWith value: T?) {
        let isAdded = state.withLock { state in
            guard !state.isFinished else { return false }
            state.cells.append(cell)
            if let value { enqueue(value, to: [cell], &state) }
            return true
        }
        if !isAdded { cell.end() }
    }

    /// Tells everybody who listens now. Any thread, also under a lock: it only enqueues.
    package func announce(_ value: T) {
        state.withLock { state in
            guard !state.isFinished, !state.cells.isEmpty else { return }
            enqueue(value, to: state.cells, &state)
        }
    }

    /// Tells everybody who listens now, on the caller's thread. Not under a lock; for a source that queues by itself.
    package func tell(_ value: T) {
        for cell in state.withLock({ $0.cells }) { cell.deliver(value) }
    }

    /// Lets the listeners go once they have been told what was announced; later ones hear nothing.
    package func finish() {
        state.withLock { $0.isFinished = true }
        // Whoever ends a source may hold a lock, and with a listener objects of the app may go, whose ends may want it.
        queue.async { self.letListenersGo() }
    }

    /// Whether anybody listens.
    package var hasListeners: Bool { state.withLock { !$0.cells.isEmpty && !$0.isFinished } }

    /// How many values were dropped because a listener was too slow.
    package var dropped: Int { state.withLock { $0.dropped } }

    func remove(_ cell: ListenerCell<T>) { state.withLock { $0.cells.removeAll { $0 === cell } } }

    /// Keeps a listener whose token was dropped at once, and warns; false when it does not listen any more.
    func keepsDiscarded(_ cell: ListenerCell<T>) -> Bool {
        let (isListening, warns) = state.withLock { state in
            let isListening = !state.isFinished && state.cells.contains { $0 === cell }
            defer { state.hasWarned = state.hasWarned || isListening }
            return (isListening, isListening && !state.hasWarned)
        }
        if warns {
            rule.warn(
                "a listener token of \(name) was dropped at once. The listener goes on until its publisher ends; the vendor's "
                    + "SDK would have cancelled it: keep the token. (MWDAT_STRICT_TOKENS=1 cancels it here too.)")
        }
        return isListening
    }

    private func enqueue(_ value: T, to cells: [ListenerCell<T>], _ state: inout State) {
        state.pending.append(Announcement(value: value, cells: cells))
        guard state.pending.count > bound else { return queue.async { self.tellNext() } }
        // The turn of the value that is dropped serves the next: a queue that is stuck does not grow.
        state.dropped += 1
        for cell in state.pending.removeFirst().cells where !state.holds(cell) { state.orphans.append(cell) }
    }

    private func tellNext() {
        let (next, orphans) = state.withLock { state in
            defer { state.orphans = [] }
            return (state.pending.isEmpty ? nil : state.pending.removeFirst(), state.orphans)
        }
        if let next { for cell in next.cells { cell.deliver(next.value) } }
        withExtendedLifetime(orphans) {}
    }

    private func letListenersGo() {
        let cells = state.withLock { state in
            defer { state.cells = [] }
            return state.cells
        }
        for cell in cells { cell.end() }
    }
}
