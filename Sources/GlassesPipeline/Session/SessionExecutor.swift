import Dispatch

/// A serial executor of its own for one session, so that no other work of the process delays its events.
final class SessionExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "org.extentos.pipeline.session")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
