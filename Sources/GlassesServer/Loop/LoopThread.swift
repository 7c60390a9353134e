import CShims
import Foundation
import GlassesDomain

/// A thread that waits at a poller, the event that wakes it, and its end.
final class LoopThread: Sendable {
    /// Enough for a poll loop that calls no app code.
    private static let stackBytes = 512 << 10

    /// The eventfd that the thread's poller watches.
    let wakeup: Int32
    private let name: String
    private let hasEnded = DispatchSemaphore(value: 0)

    /// A thread of that name, at most 15 characters, that is not started yet; throws when no descriptor is left.
    init(name: String) throws(ServerError) {
        self.name = name
        wakeup = cshims_eventfd()
        guard wakeup >= 0 else { throw .system("start", "no descriptor for an event") }
    }

    deinit { close(wakeup) }

    /// Runs `body` with `state`, which nobody else may touch from now on, on the thread.
    func start<State>(_ state: State, _ body: @escaping @Sendable (State) -> Void) {
        let box = Handover(state: state)
        let thread = Thread { [hasEnded, name] in
            cshims_name_thread(name)
            body(box.state)
            hasEnded.signal()
        }
        thread.stackSize = Self.stackBytes
        thread.start()
    }

    /// Carries the thread's own state to it.
    ///
    /// because it is made on one thread and used on another, never on both.
    private struct Handover<State>: @unchecked Sendable {
        let state: State
    }

    /// Lets the poller return.
    func wake() { cshims_eventfd_signal(wakeup) }

    /// Blocks until `body` has returned; it has to have been started, and to be on its way to its end.
    func waitForEnd() { hasEnded.wait() }
}
