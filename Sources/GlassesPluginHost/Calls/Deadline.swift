import Dispatch
import GlassesDomain

/// A moment at which something is done unless it was called off; it needs no task, so a full task pool cannot delay it.
struct Deadline: @unchecked Sendable {
    // because a Dispatch source may be cancelled on any thread
    /// The bodies only resume continuations and set flags, so one queue serves all.
    private static let queue = DispatchQueue(label: "glasses.plugin.deadlines", qos: .userInitiated)

    private let timer: any DispatchSourceTimer

    /// Runs `body` once, `delay` from now.
    static func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Deadline {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .nanoseconds(Int(delay.wholeNanoseconds)), leeway: .milliseconds(1))
        timer.setEventHandler {
            timer.cancel()
            body()
        }
        timer.resume()
        return Deadline(timer: timer)
    }

    /// Calls it off; a body that has begun runs to its end.
    func cancel() { timer.cancel() }
}
