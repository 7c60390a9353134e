import Glibc

/// One direction of a forwarded connection.
struct WireFlow {
    /// What becomes of the bytes that the sender hands over.
    enum Mode: Equatable {
        case forwarding
        /// Nothing is taken; until a moment, or for good.
        case held(until: ContinuousClock.Instant?)
        /// Taken, and forgotten.
        case swallowing
    }

    static let room = 64 << 10

    let from: Int32
    let to: Int32
    var mode = Mode.forwarding
    private var waiting: [UInt8] = []
    /// Whether the sender has ended its half.
    private(set) var isOver = false
    private var isEndTold = false

    init(from: Int32, to: Int32) {
        self.from = from
        self.to = to
    }

    var isHeld: Bool { if case .held = mode { true } else { false } }
    var wantsRead: Bool { !isHeld && !isOver && waiting.count < Self.room }
    var wantsWrite: Bool { mode == .forwarding && !waiting.isEmpty }

    /// Takes what is there; false when the connection is broken.
    mutating func read(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let count = recv(from, buffer.baseAddress, min(buffer.count, Self.room), 0)
        guard count != 0 else {
            isOver = true
            return true
        }
        guard count > 0 else { return errno == EAGAIN || errno == EINTR }
        if mode == .forwarding { waiting += buffer[..<count] }
        return true
    }

    /// Hands over what waits, and the end after it; false when the connection is broken.
    mutating func write() -> Bool {
        guard mode == .forwarding else { return true }
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return errno == EAGAIN || errno == EINTR }
            waiting.removeFirst(count)
        }
        if isOver { tellEnd() }
        return true
    }

    /// Closes this direction in good order; what the sender still sends is forgotten.
    mutating func finish() {
        mode = .swallowing
        waiting = []
        tellEnd()
    }

    private mutating func tellEnd() {
        guard !isEndTold else { return }
        isEndTold = true
        shutdown(to, Int32(SHUT_WR))
    }
}

/// A client's connection and the one to the server that carries it on.
struct WirePair {
    let client: Int32
    let server: Int32
    var up: WireFlow
    var down: WireFlow

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
        up = WireFlow(from: client, to: server)
        down = WireFlow(from: server, to: client)
    }

    var isOver: Bool { up.isOver && down.isOver && !up.wantsWrite && !down.wantsWrite }

    /// Whether a fault can still befall it.
    var isWhole: Bool { up.mode == .forwarding && down.mode == .forwarding && !up.isOver && !down.isOver }

    /// What to wait for on the client's socket; -1 as descriptor for nothing, since poll tells of hang-ups unasked.
    var clientPoll: pollfd { Self.poll(client, reads: up, writes: down) }
    /// The same on the server's.
    var serverPoll: pollfd { Self.poll(server, reads: down, writes: up) }

    private static func poll(_ socket: Int32, reads: WireFlow, writes: WireFlow) -> pollfd {
        var events: Int16 = 0
        if reads.wantsRead { events |= Int16(POLLIN) }
        if writes.wantsWrite { events |= Int16(POLLOUT) }
        return pollfd(fd: events == 0 ? -1 : socket, events: events, revents: 0)
    }

    /// Moves what can be moved; false when the connection is broken.
    mutating func move(
        client clientEvents: Int16, server serverEvents: Int16, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Bool {
        if clientEvents != 0, up.wantsRead, !up.read(buffer) { return false }
        if serverEvents != 0, down.wantsRead, !down.read(buffer) { return false }
        return up.write() && down.write()
    }

    /// Lets both directions that stand still until a moment go on when it has come.
    mutating func goOn(at now: ContinuousClock.Instant) {
        if case .held(let until?) = up.mode, until <= now { up.mode = .forwarding }
        if case .held(let until?) = down.mode, until <= now { down.mode = .forwarding }
    }

    /// Ends both connections; with `reset` both ends are told that they are broken.
    func close(reset: Bool) {
        for socket in [client, server] {
            if reset {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            }
            Glibc.close(socket)
        }
    }
}
