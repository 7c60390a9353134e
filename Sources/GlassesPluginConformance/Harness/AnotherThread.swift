import Dispatch
import Foundation

/// Calls that do not come from the [host] thread.
enum AnotherThread {
    /// Runs `body` on a new thread and waits for its end.
    static func run(_ body: @escaping @Sendable () -> Void) { runAll([body]) }

    /// Runs all of `bodies` at the same time, each on a new thread, and waits for their ends.
    static func runAll(_ bodies: [@Sendable () -> Void]) {
        let group = DispatchGroup()
        for body in bodies {
            group.enter()
            Thread.detachNewThread {
                body()
                group.leave()
            }
        }
        group.wait()
    }
}
