import Synchronization

/// Runs something once after several others have ended.
final class Countdown: Sendable {
    private let left: Mutex<Int>
    private let body: @Sendable () -> Void

    /// Runs `body` after `count` steps; at once for none.
    init(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        left = Mutex(count)
        self.body = body
        if count == 0 { body() }
    }

    /// One has ended. [any]
    func step() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { body() }
    }
}
