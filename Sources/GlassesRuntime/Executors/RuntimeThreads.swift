import Dispatch

/// Where the runtime's own tasks run: a Dispatch queue, which grows by threads when some are blocked, so that an app that fills
/// Swift's shared pool with blocking code does not stop the runtime.
final class RuntimeThreads: TaskExecutor {
    static let shared = RuntimeThreads()

    private let queue = DispatchQueue(label: "org.extentos.runtime", qos: .userInitiated, attributes: .concurrent)

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { [self] in unowned.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
