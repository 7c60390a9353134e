import Dispatch
import MWDATCore

/// Tells a display's states: to listeners from now on, to streams beginning with the current one.
final class DisplayStatePublisher: Announcer {
    private let listeners: ListenerStore<DisplayState>
    private let streams = StateStreams(of: DisplayState.stopped)

    init(on queue: DispatchQueue, rule: TokenRule) {
        listeners = ListenerStore("Display.statePublisher", on: queue, rule: rule)
    }

    func listen(_ listener: @escaping @Sendable (DisplayState) -> Void) -> any AnyListenerToken {
        listeners.listen(listener)
    }

    var stream: AsyncStream<DisplayState> { streams.stream() }

    func publish(_ state: DisplayState) {
        listeners.announce(state)
        streams.send(state)
    }

    /// Nothing comes after what was published.
    func finish() {
        listeners.finish()
        streams.finish()
    }
}
