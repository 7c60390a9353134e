import Dispatch

/// The executor of one actor: a serial Dispatch queue, which gets a thread of its own when every pool thread is busy, so that no
/// blocking code of an app can hold the actor up.
///
/// It is also the preference of the tasks that feed the actor: what they await and the actor then run on one thread, without a
/// wake-up of another one for each message.
final class SerialQueueExecutor: SerialExecutor, TaskExecutor {
    private let queue: DispatchQueue

    init(name: String) { queue = DispatchQueue(label: "org.extentos.\(name)", qos: .userInteractive) }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { [self] in
            unowned.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
