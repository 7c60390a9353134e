import Foundation
import Synchronization

/// The eight threads on which the app's own code runs: tool bodies, hooks, phrase handlers.
///
/// They are threads and not tasks of the shared pool because a body may block: on two cores, two blocking bodies would fill the
/// pool and stop the whole process. The threads live as long as the process; they sleep when there is nothing to do.
final class AppCodeThreads: TaskExecutor {
    /// How many bodies may block at once before others wait.
    static let threadCount = 8

    static let shared = AppCodeThreads()

    /// Tool bodies of all sessions that have begun and not ended.
    private let occupied = Mutex(0)
    private let jobs = Mutex<[UnownedJob]>([])
    private let available = DispatchSemaphore(value: 0)

    /// Threads of their own, for tests that fill them; their threads never end.
    init() {
        for index in 1...Self.threadCount {
            let thread = Thread { [self] in run() }
            thread.name = "glasses-app-\(index)"
            thread.stackSize = 1 << 21
            thread.start()
        }
    }

    /// Takes one of the eight places for a tool body; false when all are taken. ``release()`` follows when the body has ended.
    func reserve() -> Bool {
        occupied.withLock { occupied in
            guard occupied < Self.threadCount else { return false }
            occupied += 1
            return true
        }
    }

    /// Gives a place back.
    func release() { occupied.withLock { $0 -= 1 } }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        jobs.withLock { $0.append(unowned) }
        available.signal()
    }

    private func run() {
        while true {
            available.wait()
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
