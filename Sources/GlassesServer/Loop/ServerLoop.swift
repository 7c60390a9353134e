import CShims
import Foundation
import GlassesDomain
import GlassesWebSocket
import Synchronization

/// The one thread that accepts connections, serves every WebSocket and keeps the deadlines of all.
final class ServerLoop: Sendable {
    /// What other threads ask of the loop's.
    enum Command {
        /// Accept on a listening socket.
        case listen(Acceptor)
        /// Stop accepting and close the listening socket.
        case stopListening
        /// A WebSocket was opened.
        case open(ServerWebSocket, WebSocketUpgrade, early: [UInt8])
        /// A WebSocket has something to do. Each has at most one of these in the mailbox.
        case serve(ServerWebSocket)
        /// Close every WebSocket, and those that are still opened.
        case closeAll(code: UInt16, reason: String)
        /// Drop every WebSocket without waiting for its peer.
        case dropAll
        /// End the thread.
        case stop
    }

    let counters = ServerCounters()
    let deadlines = Deadlines()
    private let limits: ServerLimits
    private let mailbox = Mutex<[Command]>([])
    private let wakeup: Int32
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Throws ``ServerError`` when the system has no more descriptors.
    init(limits: ServerLimits) throws(ServerError) {
        self.limits = limits
        wakeup = cshims_eventfd()
        guard wakeup >= 0 else { throw .system("start", "no descriptor for an event") }
    }

    deinit { close(wakeup) }

    /// Starts the thread.
    func start() throws(ServerError) {
        let turns = try LoopTurns(loop: self, wakeup: wakeup)
        let box = Handover(turns: turns)
        let thread = Thread { [hasEnded] in
            cshims_name_thread("glasses-server")
            box.turns.run()
            hasEnded.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// Carries the loop's own state to its thread.
    ///
    /// because it is made on one thread and used on another, never on both.
    private struct Handover: @unchecked Sendable {
        let turns: LoopTurns
    }

    /// Puts a command into the mailbox. Its bound is one entry for each connection and some for the server's start and
    /// end.
    func post(_ command: Command) {
        let isFirst = mailbox.withLock { mailbox in
            mailbox.append(command)
            return mailbox.count == 1
        }
        if isFirst { cshims_eventfd_signal(wakeup) }
    }

    /// Takes everything out of the mailbox.
    func takeCommands() -> [Command] {
        mailbox.withLock { mailbox in
            defer { mailbox = [] }
            return mailbox
        }
    }

    /// Looks at a target's deadline after it changed.
    func watch(_ target: any DeadlineTarget) {
        if deadlines.update(target) { cshims_eventfd_signal(wakeup) }
    }

    /// Serves an upgraded socket from now on.
    func open(_ socket: UpgradedSocket, upgrade: WebSocketUpgrade, early: [UInt8]) {
        var bounds = WebSocketLimits(
            inboundMessage: limits.inboundMessage, controlBytes: limits.outboundQueue, audioBytes: limits.outboundQueue,
            highWater: limits.outboundHighWater)
        bounds.pingInterval = limits.pingInterval
        bounds.pongTimeout = max(.zero, limits.silence - limits.pingInterval)
        bounds.close = limits.closeTime
        let webSocket = ServerWebSocket(socket: socket, limits: bounds, budget: upgrade.budget, loop: self, now: .now)
        post(.open(webSocket, upgrade, early: early))
    }

    /// Ends the thread and blocks until it has ended.
    func stop() {
        post(.stop)
        hasEnded.wait()
    }
}
