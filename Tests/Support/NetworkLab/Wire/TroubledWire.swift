import CShims
import Foundation
import Synchronization

/// A TCP forwarder that a test lets a fault befall at a moment of its choice: the wire between a client and its server.
///
/// Real sockets on 127.0.0.1, one thread for all of them. What is in its buffers is small, as on a wire: a peer that is not read
/// notices within a few hundred kilobytes.
public final class TroubledWire: Sendable {
    private struct Strike: Sendable {
        var fault: WireFault
        var way: WireWay
    }

    private struct State: Sendable {
        var target: UInt16 = 0
        var orders: [Strike] = []
        var struck = 0
        var isStopped = false
    }

    /// How long ``WireFault/stall`` stands still.
    public static let stall = Duration.seconds(3)
    /// How long nobody listens after ``WireFault/refusal``.
    public static let refusal = Duration.seconds(2)
    private static let receiveBuffer: Int32 = 32 << 10

    private let reserved: ReservedPort
    private let wake: Int32
    private let state = Mutex(State())

    /// The port to connect to instead of the server's.
    public var port: UInt16 { reserved.port }
    /// How many connections a fault has befallen.
    public var struck: Int { state.withLock { $0.struck } }

    /// Listens at once; connections are refused until a target is set.
    public init() throws {
        reserved = try ReservedPort()
        wake = cshims_eventfd()
        let listener = try reserved.listener(receiveBuffer: Self.receiveBuffer)
        Thread.detachNewThread { [self] in
            var loop = Loop(listener: listener)
            while turn(&loop) {}
            loop.end()
            close(wake)
        }
    }

    /// Forwards to this port of 127.0.0.1 from now on.
    public func setTarget(_ port: UInt16) { state.withLock { $0.target = port } }

    /// Lets a fault befall all connections that are whole, very soon; `way` says which direction, where it is one.
    public func strike(_ fault: WireFault, _ way: WireWay = .up) {
        order { $0.orders.append(Strike(fault: fault, way: way)) }
    }

    /// Ends all connections and the thread; without effect the second time.
    public func stop() { order { $0.isStopped = true } }

    private func order(_ change: (inout State) -> Void) {
        state.withLock { state in
            guard !state.isStopped else { return }
            change(&state)
            cshims_eventfd_signal(wake)
        }
    }

    /// Only the wire's thread touches it.
    private struct Loop {
        /// Nil while nobody listens.
        var listener: Int32?
        var listensAgain: ContinuousClock.Instant?
        var pairs: [WirePair] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: WireFlow.room, alignment: 1)

        func end() {
            if let listener { Glibc.close(listener) }
            for pair in pairs { pair.close(reset: true) }
            buffer.deallocate()
        }
    }

    /// Waits for something to happen, 50 ms at most, and deals with it; false when the wire is stopped.
    private func turn(_ loop: inout Loop) -> Bool {
        var polls = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(fd: loop.listener ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        for pair in loop.pairs { polls += [pair.clientPoll, pair.serverPoll] }
        poll(&polls, nfds_t(polls.count), 50)
        for index in loop.pairs.indices.reversed() {
            let (client, server) = (polls[2 + 2 * index].revents, polls[3 + 2 * index].revents)
            let isAlive = loop.pairs[index].move(client: client, server: server, loop.buffer)
            guard !isAlive || loop.pairs[index].isOver else { continue }
            loop.pairs.remove(at: index).close(reset: !isAlive)
        }
        if polls[1].revents != 0 { acceptOne(&loop) }
        keepTime(&loop)
        if polls[0].revents != 0 { _ = cshims_eventfd_drain(wake) }
        let (orders, isStopped) = state.withLock { state in
            defer { state.orders = [] }
            return (state.orders, state.isStopped)
        }
        for order in orders { obey(order, &loop) }
        return !isStopped
    }

    private func acceptOne(_ loop: inout Loop) {
        guard let listener = loop.listener else { return }
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let server = LoopbackListener.connect(to: state.withLock({ $0.target })) else {
            close(client)
            return
        }
        for socket in [client, server] {
            _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            var yes: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        loop.pairs.append(WirePair(client: client, server: server))
    }

    private func keepTime(_ loop: inout Loop) {
        let now = ContinuousClock.now
        for index in loop.pairs.indices { loop.pairs[index].goOn(at: now) }
        guard let again = loop.listensAgain, again <= now else { return }
        do {
            loop.listener = try reserved.listener(receiveBuffer: Self.receiveBuffer)
            loop.listensAgain = nil
        } catch { print("the wire does not listen again yet: \(error)") }
    }

    // MARK: - Faults

    private func obey(_ strike: Strike, _ loop: inout Loop) {
        let hit = loop.pairs.indices.filter { loop.pairs[$0].isWhole }
        state.withLock { $0.struck += hit.count }
        switch strike.fault {
        case .reset, .refusal:
            for index in hit.reversed() { loop.pairs.remove(at: index).close(reset: true) }
            if strike.fault == .refusal { stopListening(&loop) }
        case .end, .blackHole, .swallow, .halfClose, .oneWay, .stall:
            for index in hit { Self.change(&loop.pairs[index], strike) }
        }
    }

    private func stopListening(_ loop: inout Loop) {
        if let listener = loop.listener { close(listener) }
        loop.listener = nil
        loop.listensAgain = .now + Self.refusal
    }

    private static func change(_ pair: inout WirePair, _ strike: Strike) {
        switch strike.fault {
        case .end:
            pair.up.finish()
            pair.down.finish()
        case .halfClose: if strike.way == .up { pair.up.finish() } else { pair.down.finish() }
        case .blackHole: (pair.up.mode, pair.down.mode) = (.held(until: nil), .held(until: nil))
        case .swallow: (pair.up.mode, pair.down.mode) = (.swallowing, .swallowing)
        case .oneWay:
            if strike.way == .up { pair.up.mode = .held(until: nil) } else { pair.down.mode = .held(until: nil) }
        case .stall:
            let end = ContinuousClock.now + stall
            (pair.up.mode, pair.down.mode) = (.held(until: end), .held(until: end))
        case .reset, .refusal: break
        }
    }
}
