import Dispatch

/// Where handlers run: a Dispatch queue, which grows by threads when some are blocked, so that neither a slow handler
/// nor an app that fills Swift's shared pool stops the others.
final class HandlerThreads: TaskExecutor {
    static let shared = HandlerThreads()

    private let queue = DispatchQueue(
        label: "org.extentos.server.handlers", qos: .userInitiated, attributes: .concurrent)

    private init() {}

    func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { [self] in unowned.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
