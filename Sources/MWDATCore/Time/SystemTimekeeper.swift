import Dispatch

/// The machine's clock, with timers on a queue of their own.
package final class SystemTimekeeper: Timekeeper {
    /// The one of this process.
    package static let shared = SystemTimekeeper()

    private let queue = DispatchQueue(label: "org.extentos.mwdat.timers", qos: .userInitiated)

    package init() {}

    package var now: Uptime { Uptime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> any PendingTimer {
        let source = DispatchSource.makeTimerSource(queue: queue)
        let timer = SystemTimer(source: source)
        // The handler holds its timer until that has fired or was cancelled: nobody else has to.
        source.setEventHandler {
            timer.cancel()
            body()
        }
        source.schedule(deadline: .now() + .nanoseconds(Int(max(0, delay.nanoseconds))), leeway: .milliseconds(1))
        source.activate()
        return timer
    }
}

/// A timer of Dispatch. `@unchecked` because a source may be cancelled from any thread, and nothing else is done with it.
private final class SystemTimer: PendingTimer, @unchecked Sendable {
    private let source: any DispatchSourceTimer

    init(source: any DispatchSourceTimer) { self.source = source }

    func cancel() { source.cancel() }
}
