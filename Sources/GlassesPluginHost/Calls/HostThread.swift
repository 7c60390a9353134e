import CShims
import Foundation

/// Threads of the host's own: plugins and devices must never hold a thread of the task pool.
enum HostThread {
    /// Runs `body` on a new thread with a name for debuggers.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            cshims_name_thread(name)
            body()
        }
    }
}
