import GlassesDomain
import Synchronization

/// A settable ``ObservableState``: equal values are left out, and values are delivered in the order in which they were set.
final class ObservableBox<Element: Sendable & Equatable>: ObservableState {
    /// The newest values that a slow subscriber keeps; far more than a state machine changes in a second.
    static var bufferedValues: Int { 256 }

    private struct Storage {
        var current: Element
        var subscribers = Subscribers<Element>()
    }

    private let storage: Mutex<Storage>

    init(_ value: Element) { storage = Mutex(Storage(current: value)) }

    var current: Element { storage.withLock { $0.current } }

    var stream: AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferedValues))
        continuation.subscribe {
            storage.withLock { storage in
                // Under the lock, so that no change can come between the replayed value and the subscription.
                continuation.yield(storage.current)
                return storage.subscribers.add(continuation)
            }
        }
        return stream
    }

    /// Sets the value and tells all subscribers, unless it is the value now.
    func set(_ value: Element) {
        storage.withLock { storage in
            guard storage.current != value else { return }
            storage.current = value
            storage.subscribers.yield(value)
        }
    }

    /// Ends all streams; later ones give the last value and end.
    func finish() {
        for subscriber in storage.withLock({ $0.subscribers.finish() }) { subscriber.finish() }
    }
}
