import GlassesDomain
import Synchronization

/// A settable ``ObservableState``: equal values are left out, and values are delivered in the order in which they were set.
final class ObservableBox<Element: Sendable & Equatable>: ObservableState {
    /// The newest values that a slow subscriber keeps; far more than a state machine changes in a second.
    static var bufferedValues: Int { 256 }

    private struct Storage {
        var current: Element
        var subscribers: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextID = 0
        var isFinished = false
    }

    private let storage: Mutex<Storage>

    init(_ value: Element) { storage = Mutex(Storage(current: value)) }

    var current: Element { storage.withLock { $0.current } }

    var stream: AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferedValues))
        let id = storage.withLock { storage -> Int? in
            // Under the lock, so that no change can come between the replayed value and the subscription.
            continuation.yield(storage.current)
            guard !storage.isFinished else { return nil }
            storage.nextID += 1
            storage.subscribers[storage.nextID] = continuation
            return storage.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.storage.withLock { $0.subscribers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Sets the value and tells all subscribers, unless it is the value now.
    func set(_ value: Element) {
        storage.withLock { storage in
            guard storage.current != value else { return }
            storage.current = value
            for subscriber in storage.subscribers.values { subscriber.yield(value) }
        }
    }

    /// Ends all streams; later ones give the last value and end.
    func finish() {
        let subscribers = storage.withLock { storage in
            storage.isFinished = true
            let all = Array(storage.subscribers.values)
            storage.subscribers = [:]
            return all
        }
        for subscriber in subscribers { subscriber.finish() }
    }
}
