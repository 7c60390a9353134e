import CShims
internal import Foundation

/// The one thread on which an engine's C library runs.
package final class EngineThread: @unchecked Sendable {
    // because isEnded is read and written under `condition` only
    private let condition = NSCondition()
    private var isEnded = false

    /// Room for the recursion of a C library; twice what Foundation gives a thread by default.
    private static let stackSize = 1 << 20

    /// Starts `body` on a thread called `name`.
    package init(name: String, body: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            cshims_name_thread(name)
            body()
            condition.lock()
            isEnded = true
            condition.broadcast()
            condition.unlock()
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }

    /// Waits until `body` has returned, at most `seconds`; false when the thread is still at work and is left to itself.
    package func join(within seconds: Double) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let limit = Date(timeIntervalSinceNow: seconds)
        while !isEnded, condition.wait(until: limit) {}
        return isEnded
    }
}
