import Foundation
import Synchronization

/// One thread of the child on which the calls of one lane run, in order. The host bounds what waits, and watches the time.
final class CallThread: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let arrived = DispatchSemaphore(value: 0)

    /// Starts the thread, which lives as long as the process.
    init(name: String) {
        HostThread.start(name) { [self] in
            while true {
                arrived.wait()
                let body = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                body?()
            }
        }
    }

    /// Runs `body` after everything before it.
    func run(_ body: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(body) }
        arrived.signal()
    }
}
