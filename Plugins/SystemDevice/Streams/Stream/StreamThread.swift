import GlassesPluginKit

/// What an [audio] thread does with its device until it has to end.
protocol StreamWorker: AnyObject {
    /// Moves frames until it throws why it ends. The ring was taken before.
    func run() throws(StreamEnding)
}

/// What a thread needs to open a device and work it. Sendable, since each attempt is a new thread.
struct StreamJob: Sendable {
    /// The thread's name for debuggers, at most 15 bytes.
    var threadName: String
    /// Opens the device; may block as long as a sound server hangs.
    var open: @Sendable () -> Result<any PCMDevice, StreamFailure>
    /// Makes the worker.
    var work: @Sendable (LeasedDevice) -> any StreamWorker
}

/// One attempt: a thread that opens a device, works it while it holds the ring, and closes it.
///
/// The thread is detached and keeps everything it needs alive itself, because it may be stuck in a device call for as long
/// as a sound server hangs; whoever started it forgets it.
enum StreamThread {
    private final class Context: Sendable {
        let job: StreamJob
        let lease: StreamLease
        let ring: AudioRing

        init(job: StreamJob, lease: StreamLease, ring: AudioRing) {
            self.job = job
            self.lease = lease
            self.ring = ring
        }
    }

    /// Starts the thread; false when the system has none left.
    static func launch(_ job: StreamJob, _ lease: StreamLease, _ ring: AudioRing) -> Bool {
        let context = Context(job: job, lease: lease, ring: ring)
        return DetachedThread.spawn(named: job.threadName) { run(context) }
    }

    private static func run(_ context: Context) {
        defer { context.lease.report(.gone) }
        let lease = context.lease
        switch context.job.open() {
        case .failure(let failure):
            lease.giveBack(failure)
        case .success(let device):
            lease.report(.prepared)
            if awaitGrant(lease) {
                lease.giveBack(work(device, context))
            } else {
                lease.giveBack(nil)
            }
            device.close()
        }
    }

    /// Waits until the driver hands over the ring; false when it called the attempt off.
    private static func awaitGrant(_ lease: StreamLease) -> Bool {
        while !lease.isCalledOff {
            if lease.isGranted { return true }
            lease.wake.wait(nanoseconds: 100 * millisecond)
        }
        return false
    }

    private static func work(_ device: any PCMDevice, _ context: Context) -> StreamFailure? {
        let leased = LeasedDevice(device: device, ring: context.ring, lease: context.lease)
        do {
            try leased.take()
            try context.job.work(leased).run()
            return nil
        } catch {
            switch error {
            case .lease: return nil
            case .device(let failure): return failure
            }
        }
    }
}
