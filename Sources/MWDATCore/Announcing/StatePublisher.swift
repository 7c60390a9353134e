import Dispatch

/// Tells the states of something: to listeners from now on, to streams beginning with the current one.
package final class StatePublisher<State: Sendable>: Announcer {
    private let listeners: ListenerStore<State>
    private let streams: StateStreams<State>

    package init(_ name: String, _ current: State, on queue: DispatchQueue, rule: TokenRule) {
        listeners = ListenerStore(name, on: queue, rule: rule)
        streams = StateStreams(of: current)
    }

    /// Streams end with what they watch, also when nobody says so.
    deinit { streams.finish() }

    package func listen(_ listener: @escaping @Sendable (State) -> Void) -> any AnyListenerToken {
        listeners.listen(listener)
    }

    package var stream: AsyncStream<State> { streams.stream() }

    /// Any thread, also under a lock: it only enqueues.
    package func publish(_ state: State) {
        listeners.announce(state)
        streams.send(state)
    }

    /// Nothing comes after what was published.
    package func finish() {
        listeners.finish()
        streams.finish()
    }
}
