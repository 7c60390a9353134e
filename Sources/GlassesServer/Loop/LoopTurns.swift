import GlassesDomain
import GlassesWebSocket

/// What the loop's thread alone touches: the poller and the connections it serves.
final class LoopTurns {
    /// How many bytes one WebSocket may read, and write, before the others have their turn.
    private static let turnBytes = 256 << 10
    /// How long one WebSocket may be read before the others have their turn, looked at after each read: a flood of
    /// small messages costs more time for its bytes than one large message.
    private static let turnTime = Duration.milliseconds(1)
    /// How many bytes are read at once.
    private static let readBytes = 16 << 10
    /// How long accepting rests when the system has nothing left for another connection.
    private static let acceptorRest = Duration.milliseconds(100)
    private static let acceptorKey: UInt64 = 1

    /// A connection and what the poller was last told of it.
    private struct Member {
        let webSocket: ServerWebSocket
        var reads = true
        var writes = false
    }

    private let loop: ServerLoop
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readBytes, alignment: 16)
    private var scratch: [UInt8] = []
    private var members: [UInt64: Member] = [:]
    private var keys: [ObjectIdentifier: UInt64] = [:]
    private var nextKey: UInt64 = 2
    private var acceptor: Acceptor?
    /// When accepting goes on after it found no descriptor or memory left.
    private var acceptsAgain: MonotonicTime?
    /// Set once the server ends: what a WebSocket that is opened late is told.
    private var farewell: (code: UInt16, reason: String)?
    private var isRunning = true

    init(loop: ServerLoop, wakeup: Int32) throws(ServerError) {
        self.loop = loop
        poller = try Poller(wakeup: wakeup)
    }

    deinit { buffer.deallocate() }

    /// Runs until the loop is stopped.
    func run() {
        while isRunning {
            poller.wait(until: nextMoment) { serve($0) }
            loop.deadlines.fire(at: .now)
            resumeAccepting()
            for command in loop.takeCommands() { obey(command) }
        }
        acceptor?.close()
        loop.deadlines.removeAll()
    }

    /// When something is due.
    private var nextMoment: MonotonicTime? { [loop.deadlines.next, acceptsAgain].compactMap { $0 }.min() }

    private func serve(_ ready: Poller.Ready) {
        switch ready.key {
        case Self.acceptorKey: accept()
        default:
            guard let member = members[ready.key] else { return }
            read(member.webSocket, ready)
            write(member.webSocket, key: ready.key)
        }
    }

    private func obey(_ command: ServerLoop.Command) {
        switch command {
        case .listen(let acceptor): listen(acceptor)
        case .stopListening: stopListening()
        case .open(let webSocket, let upgrade, let early): open(webSocket, upgrade, early: early)
        case .serve(let webSocket): if let key = keys[ObjectIdentifier(webSocket)] { write(webSocket, key: key) }
        case .closeAll(let code, let reason):
            farewell = (code, reason)
            for member in members.values { member.webSocket.close(code: code, reason: reason) }
        case .dropAll: for member in members.values { member.webSocket.drop(.serverStopped) }
        case .stop: isRunning = false
        }
    }

    private func listen(_ acceptor: Acceptor) {
        self.acceptor = acceptor
        _ = poller.add(acceptor.descriptor, key: Self.acceptorKey, read: true, write: false)
    }

    private func accept() {
        guard let acceptor, !acceptor.acceptAll() else { return }
        poller.change(acceptor.descriptor, key: Self.acceptorKey, read: false, write: false)
        acceptsAgain = MonotonicTime.now.advanced(by: Self.acceptorRest)
    }

    private func resumeAccepting() {
        guard let acceptor, let moment = acceptsAgain, moment <= .now else { return }
        acceptsAgain = nil
        poller.change(acceptor.descriptor, key: Self.acceptorKey, read: true, write: false)
    }

    private func stopListening() {
        acceptsAgain = nil
        guard let acceptor else { return }
        poller.remove(acceptor.descriptor)
        acceptor.close()
        self.acceptor = nil
    }

    // MARK: WebSockets

    private func open(_ webSocket: ServerWebSocket, _ upgrade: WebSocketUpgrade, early: [UInt8]) {
        let key = nextKey
        nextKey += 1
        guard poller.add(webSocket.socket.descriptor, key: key, read: true, write: false) else {
            webSocket.socket.giveBack()
            return upgrade.abandoned()
        }
        members[key] = Member(webSocket: webSocket)
        keys[ObjectIdentifier(webSocket)] = key
        loop.counters.count { state in
            state.webSockets += 1
            state.webSocketsOpened += 1
        }
        webSocket.open(upgrade.accept(webSocket), early: early)
        if let farewell { webSocket.close(code: farewell.code, reason: farewell.reason) }
        write(webSocket, key: key)
    }

    private func read(_ webSocket: ServerWebSocket, _ ready: Poller.Ready) {
        guard webSocket.wantsRead else {
            // Nobody reads it to its end, and the poller would report it for ever.
            if ready.isDead { webSocket.linkEnded() }
            return
        }
        guard ready.isReadable || ready.isDead else { return }
        let end = MonotonicTime.now.advanced(by: Self.turnTime)
        var left = Self.turnBytes
        while left > 0, webSocket.wantsRead, webSocket.readOnce(into: buffer), MonotonicTime.now < end {
            left -= buffer.count
        }
    }

    /// Writes what waits and lets the poller and the clock know what is left; gives a finished socket back.
    private func write(_ webSocket: ServerWebSocket, key: UInt64) {
        let wishes = webSocket.write(atMost: Self.turnBytes, scratch: &scratch)
        guard !wishes.isFinished else { return finish(webSocket, key: key) }
        if var member = members[key], member.reads != wishes.wantsRead || member.writes != wishes.wantsWrite {
            (member.reads, member.writes) = (wishes.wantsRead, wishes.wantsWrite)
            members[key] = member
            poller.change(webSocket.socket.descriptor, key: key, read: wishes.wantsRead, write: wishes.wantsWrite)
        }
        _ = loop.deadlines.update(webSocket)
    }

    private func finish(_ webSocket: ServerWebSocket, key: UInt64) {
        members[key] = nil
        keys[ObjectIdentifier(webSocket)] = nil
        poller.remove(webSocket.socket.descriptor)
        webSocket.socket.giveBack()
    }
}

extension ConnectionClosure {
    /// The server ended and did not wait for the peer any longer.
    static let serverStopped = ConnectionClosure(
        code: "server_stopped", message: "The server has stopped. Connect again when it is back.",
        closeCode: WebSocketCloseCode.abnormal)
}
