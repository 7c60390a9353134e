import Dispatch

/// The executor of one actor: a serial Dispatch queue, which gets a thread of its own when every pool thread is busy, so that no
/// blocking code of an app can hold the actor up.
final class SerialQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(name: String) { queue = DispatchQueue(label: "org.extentos.\(name)", qos: .userInteractive) }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { [self] in unowned.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
