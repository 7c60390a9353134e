import GlassesDomain
import Glibc

/// What the thread of ``TLSFront`` alone touches: the poller and the tunnels.
final class TLSTurns {
    /// How long the tunnels may take to say farewell once the server has ended.
    private static let lastMoments = Duration.milliseconds(500)

    private let front: TLSFront
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: TLSTunnel.record, alignment: 16)
    /// By the even key of the peer's socket; the pair's is one more.
    private var tunnels: [UInt64: TLSTunnel] = [:]
    private var networkInterests: [UInt64: TLSTunnel.Interest] = [:]
    private var pairInterests: [UInt64: TLSTunnel.Interest] = [:]
    /// Those with a deadline: in their handshake, or at their end.
    private var timed: Set<UInt64> = []
    private var nextKey: UInt64 = 2
    private var endsBy: MonotonicTime?

    init(front: TLSFront, wakeup: Int32) throws(ServerError) {
        self.front = front
        poller = try Poller(wakeup: wakeup)
    }

    deinit { buffer.deallocate() }

    /// Runs until the front is stopped and the tunnels have ended, or their last moments have.
    func run() {
        while !isOver() {
            poller.wait(until: nextMoment) { serve($0) }
            let (arrived, isStopping) = front.takeArrivals()
            for arrival in arrived { begin(arrival) }
            if isStopping && endsBy == nil { endsBy = MonotonicTime.now.advanced(by: Self.lastMoments) }
            dropOverdue()
        }
        front.count(0)
    }

    private func isOver() -> Bool {
        guard let endsBy else { return false }
        return tunnels.isEmpty || endsBy <= .now
    }

    private var nextMoment: MonotonicTime? {
        (timed.compactMap { tunnels[$0]?.deadline } + [endsBy].compactMap { $0 }).min()
    }

    private func begin(_ arrival: TLSFront.Arrival) {
        guard let session = front.credentials.makeSession(on: arrival.socket) else {
            close(arrival.socket)
            return
        }
        let tunnel = TLSTunnel(
            network: arrival.socket, session: session, remote: arrival.remote, local: arrival.local,
            deadline: MonotonicTime.now.advanced(by: front.limits.headTime), closeTime: front.limits.closeTime)
        let key = nextKey
        nextKey += 2
        let interest = tunnel.networkInterest
        guard poller.add(tunnel.network, key: key, read: interest.read, write: interest.write) else { return }
        tunnels[key] = tunnel
        networkInterests[key] = interest
        timed.insert(key)
        front.count(tunnels.count)
    }

    private func serve(_ ready: Poller.Ready) {
        let isPair = ready.key % 2 == 1
        let key = isPair ? ready.key - 1 : ready.key
        guard let tunnel = tunnels[key] else { return }
        if ready.isDead && !isPair { return end(key) }
        if ready.isDead && isPair {
            // It is read to its end from now on whenever the peer takes something; the poller would report it for ever.
            poller.remove(tunnel.pair)
            pairInterests[key] = nil
        }
        advance(tunnel, key)
    }

    private func advance(_ tunnel: TLSTunnel, _ key: UInt64) {
        if !tunnel.isOpen {
            switch tunnel.shakeHands() {
            case nil: return end(key)
            case false?: return listen(tunnel, key)
            case true?: guard open(tunnel, key) else { return end(key) }
            }
        }
        let before = tunnel.pair
        guard tunnel.move(buffer, at: .now) else { return end(key) }
        // The tunnel has closed its end of the pair, and the poller forgot it with that.
        if before >= 0 && tunnel.pair < 0 {
            pairInterests[key] = nil
            timed.insert(key)
        }
        listen(tunnel, key)
    }

    /// Makes the pair and gives the server its end of it.
    private func open(_ tunnel: TLSTunnel, _ key: UInt64) -> Bool {
        var ends: [Int32] = [-1, -1]
        let kind =
            Int32(SOCK_STREAM.rawValue) | Int32(bitPattern: SOCK_CLOEXEC.rawValue)
            | Int32(bitPattern: SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return false }
        tunnel.open(ends[0])
        timed.remove(key)
        front.serve(ends[1], tunnel.remote, tunnel.local)
        let interest = tunnel.pairInterest
        pairInterests[key] = interest
        return poller.add(ends[0], key: key + 1, read: interest.read, write: interest.write)
    }

    private func listen(_ tunnel: TLSTunnel, _ key: UInt64) {
        let interest = tunnel.networkInterest
        if networkInterests[key] != interest {
            networkInterests[key] = interest
            poller.change(tunnel.network, key: key, read: interest.read, write: interest.write)
        }
        let inner = tunnel.pairInterest
        if tunnel.pair >= 0, let known = pairInterests[key], known != inner {
            pairInterests[key] = inner
            poller.change(tunnel.pair, key: key + 1, read: inner.read, write: inner.write)
        }
    }

    private func dropOverdue() {
        guard !timed.isEmpty else { return }
        let now = MonotonicTime.now
        for key in timed where tunnels[key]?.deadline.map({ $0 <= now }) ?? true { end(key) }
    }

    /// Closes both sockets, by letting go of the tunnel.
    private func end(_ key: UInt64) {
        guard let tunnel = tunnels.removeValue(forKey: key) else { return }
        poller.remove(tunnel.network)
        if tunnel.pair >= 0, pairInterests[key] != nil { poller.remove(tunnel.pair) }
        networkInterests[key] = nil
        pairInterests[key] = nil
        timed.remove(key)
        front.count(tunnels.count)
    }
}
