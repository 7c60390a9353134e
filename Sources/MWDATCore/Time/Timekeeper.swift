/// The clock and the timers that the toolkit goes by.
package protocol Timekeeper: Sendable {
    /// Now.
    var now: Uptime { get }
    /// Calls `body` once after `delay`, on a thread of its own, unless the timer is cancelled before. Never calls it at once.
    @discardableResult
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> any PendingTimer
}

/// A call that is yet to come.
package protocol PendingTimer: Sendable {
    /// Calls it off; harmless when it has been made. It may still be under way when this returns.
    func cancel()
}
