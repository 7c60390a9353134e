import Dispatch
import Foundation

/// A thread of a link's own whose end can be waited for.
package final class LinkThread: Sendable {
    private let running = DispatchGroup()

    /// Starts a thread; names over 15 bytes are cut by the system.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        running.enter()
        let thread = Thread { [running] in
            body()
            running.leave()
        }
        thread.name = name
        thread.start()
    }

    /// Waits for the thread's end; false when the bound is over first.
    @discardableResult
    package func wait(within bound: DispatchTimeInterval) -> Bool { running.wait(timeout: .now() + bound) == .success }
}
