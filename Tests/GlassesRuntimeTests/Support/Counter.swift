import Synchronization

/// Numbers from 1, each handed out once, in order.
final class Counter: Sendable {
    private let value = Mutex(0)

    /// Calls `body` with the next number, while nobody else gets one.
    func next(_ body: (Int) -> Void) {
        value.withLock { value in
            value += 1
            body(value)
        }
    }
}

/// Counts from many tasks.
final class Tally: Sendable {
    private let value = Mutex(0)

    /// How often ``add()`` was called.
    var count: Int { value.withLock { $0 } }

    /// Counts one.
    func add() { value.withLock { $0 += 1 } }
}
