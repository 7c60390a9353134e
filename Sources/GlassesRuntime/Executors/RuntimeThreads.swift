import Dispatch

/// Where the runtime's own tasks run: a Dispatch queue, which grows by threads when some are blocked, so that an app that fills
/// Swift's shared pool with blocking code does not stop the runtime.
///
/// Whoever binds the ports hands it to the modules beside the runtime, such as the embedded provider and the plugin host.
@_spi(ExtentosTools)
public final class RuntimeThreads: TaskExecutor {
    /// The process's own; its tasks may run on any number of threads at once.
    public static let shared = RuntimeThreads()

    private let queue = DispatchQueue(label: "org.extentos.runtime", qos: .userInitiated, attributes: .concurrent)

    private init() {}

    /// Runs a job of a task on one of the queue's threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { [self] in unowned.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
