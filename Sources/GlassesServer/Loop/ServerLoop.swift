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
    private let thread: LoopThread

    /// Throws ``ServerError`` when the system has no more descriptors.
    init(limits: ServerLimits) throws(ServerError) {
        self.limits = limits
        thread = try LoopThread(name: "glasses-server")
    }

    /// Starts the thread.
    func start() throws(ServerError) {
        thread.start(try LoopTurns(loop: self, wakeup: thread.wakeup)) { $0.run() }
    }

    /// Puts a command into the mailbox. Its bound is one entry for each connection and some for the server's start and
    /// end.
    func post(_ command: Command) {
        let isFirst = mailbox.withLock { mailbox in
            mailbox.append(command)
            return mailbox.count == 1
        }
        if isFirst { thread.wake() }
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
        if deadlines.update(target) { thread.wake() }
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
        thread.waitForEnd()
    }
}
