import Dispatch
import Foundation
import Synchronization

/// A process whose app has blocked every thread of Swift's shared pool. Only for exit tests, which have a process of their own.
public enum BlockedPool {
    /// How the process ends.
    private enum Status: Int32 {
        case done = 0
        case failed = 10
        case late = 11
        case poolWasFree = 12
    }

    /// Blocks the pool for good and runs `body` beside it. Ends the process: with 0 when `body` returned within `limit`, otherwise
    /// with another code and a line on standard error.
    public static func run(within limit: Duration, _ body: @escaping @Sendable () async throws -> Void) -> Never {
        for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount { Task.detached { blockThread() } }
        Thread.detachNewThread {
            let isFree = Atomic(false)
            Task.detached { isFree.store(true, ordering: .sequentiallyConsistent) }
            // A pool with a free thread would run that task within microseconds.
            Thread.sleep(forTimeInterval: 0.3)
            if isFree.load(ordering: .sequentiallyConsistent) { end(.poolWasFree, "the pool still had a thread") }
            Task(executorPreference: Beside()) {
                do { try await body() } catch { end(.failed, "\(error)") }
                end(.done, nil)
            }
            Thread.sleep(forTimeInterval: Double(limit.components.seconds))
            end(.late, "nothing came of it within \(limit)")
        }
        blockThread()
    }

    private static func blockThread() -> Never { while true { sleep(3_600) } }

    private static func end(_ status: Status, _ reason: String?) -> Never {
        if let reason { FileHandle.standardError.write(Data("blocked pool: \(reason)\n".utf8)) }
        exit(status.rawValue)
    }

    /// Threads beside the pool.
    private final class Beside: TaskExecutor {
        private let queue = DispatchQueue(label: "beside the pool", attributes: .concurrent)

        func enqueue(_ job: consuming ExecutorJob) {
            let unowned = UnownedJob(job)
            queue.async { [self] in unowned.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
