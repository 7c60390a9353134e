import GlassesPluginKit
import Synchronization

/// One stream of the host: starts, stops and flushes it, and keeps it alive through whatever the device does.
///
/// Every call returns at once. The work is done by a thread of its own (``StreamLoop``), which never makes a device call,
/// and by the [audio] threads that it launches.
package final class StreamDriver: Sendable {
    /// How the stream tells its host what happened.
    package struct Reports: Sendable {
        /// The device of a running stream was lost.
        package var lost: @Sendable (PluginFailure) -> Void
        /// It is back.
        package var back: @Sendable () -> Void
        /// A line for the log.
        package var log: @Sendable (String) -> Void

        package init(
            lost: @escaping @Sendable (PluginFailure) -> Void, back: @escaping @Sendable () -> Void,
            log: @escaping @Sendable (String) -> Void
        ) {
            self.lost = lost
            self.back = back
            self.log = log
        }
    }

    /// The end of a request: nil when it went well.
    package typealias Ending = @Sendable (PluginFailure?) -> Void

    enum Command: Sendable {
        case start(AudioRing, Ending)
        case stop(Ending)
        case shutdown
    }

    /// A running thread that is not heard of for this long is stuck in a device call.
    static let hangLimit: Int64 = 1_000 * millisecond
    /// A flush is answered for the device when its thread was stuck this long: the host waits 100 ms.
    static let flushLimit: Int64 = 60 * millisecond
    /// Commands that wait for the loop. The host's control calls do not overlap: one that has so many open is broken.
    private static let commandLimit = 64

    private struct Inbox {
        var commands: [Command] = []
        var isRunning = false
        var isOver = false
    }

    let port: StreamPort
    let job: StreamJob
    let reports: Reports
    let flushes = FlushRequests()
    let signal = EventSignal()
    private let inbox = Mutex(Inbox())
    private let finished = EventSignal()

    /// A stream that is not started.
    init(port: StreamPort, job: (FlushRequests) -> StreamJob, reports: Reports) {
        self.port = port
        self.job = job(flushes)
        self.reports = reports
    }

    /// Begins to fill or play `ring`; `ending` comes within 2 s. [any]
    package func start(_ ring: AudioRing, ending: @escaping Ending) { submit(.start(ring, ending), ending) }

    /// Ends the stream; after `ending`, within 2 s, the ring is not touched again. [any]
    package func stop(ending: @escaping Ending) { submit(.stop(ending), ending) }

    /// Cuts every frame before `upTo`. [any]
    package func flush(_ id: UInt64, upTo: Int64) {
        flushes.request(FlushRequest(id: id, upTo: upTo, time: monotonicNow()))
        signal.signal()
    }

    /// Begins to end everything; the ring is not touched after ``awaitEnd()``. [any]
    package func shutdown() { submit(.shutdown) { _ in } }

    /// Waits for the end that ``shutdown()`` began, less than 1 s.
    package func awaitEnd() {
        guard inbox.withLock({ $0.isRunning && !$0.isOver }) else { return }
        finished.wait(nanoseconds: 2 * StreamStateMachine.stopLimit)
    }

    private func submit(_ command: Command, _ ending: Ending) {
        let refusal: PluginFailure? = inbox.withLock { inbox in
            if inbox.isOver { return .wrongState("The \(port.noun)'s stream has ended; make a new transport.") }
            if inbox.commands.count >= Self.commandLimit {
                return .busy("too_many_requests", "The \(port.noun) has too many open requests; wait for their ends.")
            }
            if !inbox.isRunning {
                if case .shutdown = command {
                    inbox.isOver = true
                    return nil
                }
                guard DetachedThread.spawn(named: port.noun, { self.run() }) else { return .noThread }
                inbox.isRunning = true
            }
            inbox.commands.append(command)
            return nil
        }
        if let refusal { ending(refusal) } else { signal.signal() }
    }

    func takeCommands() -> [Command] {
        inbox.withLock { inbox in
            defer { inbox.commands.removeAll() }
            return inbox.commands
        }
    }

    private func run() {
        StreamLoop(driver: self).run()
        let late = inbox.withLock { inbox in
            inbox.isOver = true
            defer { inbox.commands.removeAll() }
            return inbox.commands
        }
        for command in late {
            switch command {
            case .start(_, let ending), .stop(let ending): ending(.cancelled)
            case .shutdown: break
            }
        }
        finished.signal()
    }
}

extension PluginFailure {
    static let noThread = PluginFailure.failed(
        "no_thread", "The system has no threads left for audio. Close other programs and try again.")

    static func startedAlready(_ noun: String) -> PluginFailure {
        .wrongState("The \(noun) is started already; stop it first.")
    }
}
