import CShims
import Glibc
import Synchronization

/// The host's reader thread of one ring: calls `body` whenever the plugin signalled, and at least every quarter second.
///
/// While `isParked` says that nothing the plugin could tell matters, its signals wake nobody; ``kick()`` does.
final class RingReader: Sendable {
    /// A plugin that forgets to signal is noticed this late.
    private static let idlePeriod: Int32 = 250
    /// A parked reader is kicked by whoever has work for it.
    private static let parkedPeriod: Int32 = 10_000

    private let stopDescriptor: Int32
    private let state = Mutex(State())

    private struct State {
        var isStopping = false
        var isRunning = false
        var waiting: [OnceContinuation<Void>] = []
    }

    /// A reader; nil when descriptors are used up.
    init?() {
        stopDescriptor = cshims_eventfd()
        if stopDescriptor < 0 { return nil }
    }

    deinit { close(stopDescriptor) }

    /// Starts the thread on a ring's wake eventfd, which `body` keeps open. `body` returns false to end it.
    func start(
        _ name: String, wakeDescriptor: Int32, isParked: @escaping @Sendable () -> Bool = { false },
        _ body: @escaping @Sendable () -> Bool
    ) {
        state.withLock { $0.isRunning = true }
        HostThread.start(name) { [self] in
            while !isStopping {
                let parks = isParked()
                // A negative descriptor is left out.
                var sources = [
                    pollfd(fd: parks ? -1 : wakeDescriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
                ]
                poll(&sources, 2, parks ? Self.parkedPeriod : Self.idlePeriod)
                _ = cshims_eventfd_drain(wakeDescriptor)
                _ = cshims_eventfd_drain(stopDescriptor)
                if isStopping || !body() { break }
            }
            let waiting = state.withLock { state in
                state.isRunning = false
                defer { state.waiting = [] }
                return state.waiting
            }
            for answer in waiting { answer.resume(()) }
        }
    }

    /// Wakes the thread, parked or not.
    func kick() { cshims_eventfd_signal(stopDescriptor) }

    /// Whether ``stop(limit:)`` was called; `body` asks between two deliveries.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Ends the thread and waits for it, at most `limit`: a consumer that hangs keeps its thread, not the caller.
    func stop(limit: Duration) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let answer = OnceContinuation(continuation)
            let isOver = state.withLock { state in
                state.isStopping = true
                if state.isRunning { state.waiting.append(answer) }
                return !state.isRunning
            }
            cshims_eventfd_signal(stopDescriptor)
            if isOver {
                answer.resume(())
            } else {
                _ = Deadline.after(limit) { answer.resume(()) }
            }
        }
    }
}
