import Synchronization

/// Who may touch the host's ring: the attempt's [audio] thread or the stream's driver, never both.
///
/// The thread marks when it is inside ring code, which takes microseconds, and when it is out, in a device call that may
/// never come back. The driver can take the ring away only while the thread is out; a thread that comes back finds its
/// lease revoked, closes its device and goes, without having touched the ring. It also carries what the thread reports.
final class StreamLease: Sendable {
    private enum Holder {
        static let driver: UInt32 = 0
        static let threadOutside: UInt32 = 1
        static let threadInside: UInt32 = 2
        static let givenBack: UInt32 = 3
        static let revoked: UInt32 = 4
    }

    /// How far the thread got; each step is reported once.
    enum Step: UInt32, Comparable {
        case opening, prepared, flowing, over, gone

        static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
    }

    let attempt: StreamStateMachine.Attempt
    /// Wakes the thread.
    let wake: EventSignal
    private let driverSignal: EventSignal
    private let holder = Atomic<UInt32>(Holder.driver)
    private let step = Atomic<UInt32>(Step.opening.rawValue)
    private let failure = Atomic<UInt64>(0)
    private let lastReport: Atomic<Int64>
    private let isAskedToEnd = Atomic(false)

    /// A lease whose ring is still the driver's; `driverSignal` is signalled with each report.
    init(attempt: StreamStateMachine.Attempt, wake: EventSignal, driverSignal: EventSignal, now: Int64) {
        self.attempt = attempt
        self.wake = wake
        self.driverSignal = driverSignal
        lastReport = Atomic(now)
    }

    // MARK: The thread's side. Lock-free, allocates nothing. [audio]

    /// Enters ring code; false when the ring was taken away or the thread has to end.
    func enter(at now: Int64) -> Bool {
        guard !isAskedToEnd.load(ordering: .acquiring) else { return false }
        lastReport.store(now, ordering: .relaxed)
        return holder.compareExchange(
            expected: Holder.threadOutside, desired: Holder.threadInside, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Leaves ring code, before a device call.
    func leave() {
        _ = holder.compareExchange(
            expected: Holder.threadInside, desired: Holder.threadOutside, ordering: .acquiringAndReleasing)
    }

    /// Whether the driver handed the ring over (and has not taken it away).
    var isGranted: Bool {
        let now = holder.load(ordering: .acquiring)
        return now == Holder.threadOutside || now == Holder.threadInside
    }

    /// Whether the thread has to end before it was granted anything.
    var isCalledOff: Bool {
        isAskedToEnd.load(ordering: .acquiring) || holder.load(ordering: .acquiring) == Holder.revoked
    }

    /// Reports progress.
    func report(_ next: Step) {
        guard step.load(ordering: .relaxed) < next.rawValue else { return }
        step.store(next.rawValue, ordering: .releasing)
        driverSignal.signal()
    }

    /// Gives the ring back for good; nil when the thread was asked to end.
    func giveBack(_ cause: StreamFailure?) {
        if let cause { failure.store(cause.packed, ordering: .releasing) }
        for from in [Holder.threadInside, Holder.threadOutside, Holder.driver] {
            if holder.compareExchange(expected: from, desired: Holder.givenBack, ordering: .acquiringAndReleasing)
                .exchanged
            {
                break
            }
        }
        report(.over)
    }

    // MARK: The driver's side

    /// What the thread reported last.
    var reported: (step: Step, failure: StreamFailure?) {
        let now = Step(rawValue: step.load(ordering: .acquiring)) ?? .opening
        return (now, StreamFailure(packed: failure.load(ordering: .acquiring)))
    }

    /// When the thread was last heard of.
    var lastReportTime: Int64 { lastReport.load(ordering: .relaxed) }

    /// Hands the ring to the thread.
    func grant(at now: Int64) {
        lastReport.store(now, ordering: .relaxed)
        _ = holder.compareExchange(
            expected: Holder.driver, desired: Holder.threadOutside, ordering: .acquiringAndReleasing)
        wake.signal()
    }

    /// Asks the thread to end.
    func end() {
        isAskedToEnd.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Tries to take the ring away; false while the thread is inside ring code, which is a matter of microseconds.
    func revoke() -> Bool {
        for from in [Holder.threadOutside, Holder.driver] {
            if holder.compareExchange(expected: from, desired: Holder.revoked, ordering: .acquiringAndReleasing)
                .exchanged
            {
                wake.signal()
                return true
            }
        }
        // Not "is not inside": the thread may have left after both attempts, and could enter again.
        let now = holder.load(ordering: .acquiring)
        return now == Holder.revoked || now == Holder.givenBack
    }
}
