import CGnuTLS
import GlassesDomain
import Glibc

/// One encrypted connection: the peer's socket on one side, and on the other, in clear, one end of a pair whose other
/// end the server serves as any connection. Only on the thread of ``TLSFront``.
///
/// It holds one record for each direction at most: when one side does not take its bytes, the other one is not read.
final class TLSTunnel {
    /// The longest TLS record.
    static let record = 16 << 10
    /// How many records one turn moves in each direction before the others have theirs.
    private static let turnRecords = 8

    /// What the poller should tell of one socket.
    struct Interest: Equatable {
        var read = false
        var write = false
    }

    private enum Step { case moved, waits, broken }

    let network: Int32
    let remote: IPAddress
    let local: IPAddress
    /// Our end of the pair; -1 until the handshake is done, and after the pair has ended.
    private(set) var pair: Int32 = -1
    /// When the tunnel is given up; nil while it has no bound.
    private(set) var deadline: MonotonicTime?
    private let session: gnutls_session_t
    private let closeTime: Duration
    /// Bytes of the peer that the pair did not take.
    private var inbound: [UInt8] = []
    private var isNetworkOver = false
    private var isPairOver = false
    /// A record waits inside the library for the peer's socket.
    private var isSendBlocked = false
    private var isFarewellSent = false

    /// A tunnel whose handshake must be done by `deadline`; it owns the socket and the session.
    init(
        network: Int32, session: gnutls_session_t, remote: IPAddress, local: IPAddress, deadline: MonotonicTime,
        closeTime: Duration
    ) {
        self.network = network
        self.session = session
        self.remote = remote
        self.local = local
        self.deadline = deadline
        self.closeTime = closeTime
    }

    deinit {
        gnutls_deinit(session)
        close(network)
        if pair >= 0 { close(pair) }
    }

    /// Goes on with the handshake: true once it is done, nil when it failed.
    func shakeHands() -> Bool? {
        let code = gnutls_handshake(session)
        if code == 0 { return true }
        return gnutls_error_is_fatal(code) == 0 ? false : nil
    }

    /// The handshake is done, and the server has the other end of the pair.
    func open(_ pair: Int32) {
        self.pair = pair
        deadline = nil
    }

    var isOpen: Bool { pair >= 0 || isPairOver }

    var networkInterest: Interest {
        guard isOpen else {
            let isWriting = gnutls_record_get_direction(session) == 1
            return Interest(read: !isWriting, write: isWriting)
        }
        return Interest(
            read: !isNetworkOver && inbound.isEmpty, write: isSendBlocked || (isPairOver && !isFarewellSent))
    }

    var pairInterest: Interest { Interest(read: !isPairOver && !isSendBlocked, write: !inbound.isEmpty) }

    /// Moves what can be moved; false when the connection is over.
    func move(_ buffer: UnsafeMutableRawBufferPointer, at now: MonotonicTime) -> Bool {
        for _ in 0..<Self.turnRecords {
            let inward = moveIn(buffer)
            let outward = moveOut(buffer, at: now)
            if inward == .broken || outward == .broken { return false }
            if isNetworkOver && isFarewellSent { return false }
            if inward == .waits && outward == .waits { return true }
        }
        return true
    }

    private func moveIn(_ buffer: UnsafeMutableRawBufferPointer) -> Step {
        if !inbound.isEmpty {
            let rest = inbound
            inbound = []
            rest.withUnsafeBytes { pass($0) }
            if !inbound.isEmpty { return .waits }
        }
        guard !isNetworkOver else { return .waits }
        let count = gnutls_record_recv(session, buffer.baseAddress, buffer.count)
        if count > 0 {
            pass(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return .moved
        }
        // A peer that leaves without the library's farewell has left too.
        if count == 0 || count == Int(GNUTLS_E_PREMATURE_TERMINATION) {
            isNetworkOver = true
            if pair >= 0 { shutdown(pair, Int32(SHUT_WR)) }
            return .moved
        }
        return Self.step(count)
    }

    /// Gives the server bytes of the peer; after the pair's end they are thrown away.
    private func pass(_ bytes: UnsafeRawBufferPointer) {
        guard pair >= 0 else { return }
        let count = send(pair, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        if count < 0 && errno != EAGAIN && errno != EINTR { return }
        inbound = Array(bytes[max(0, count)...])
    }

    private func moveOut(_ buffer: UnsafeMutableRawBufferPointer, at now: MonotonicTime) -> Step {
        if isSendBlocked {
            let count = gnutls_record_send(session, nil, 0)
            guard count >= 0 else { return Self.step(count) }
            isSendBlocked = false
        }
        guard pair >= 0 else { return sayFarewell() }
        let count = recv(pair, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
            if count < 0 && (errno == EAGAIN || errno == EINTR) { return .waits }
            endPair(at: now)
            return .moved
        }
        let sent = gnutls_record_send(session, buffer.baseAddress, count)
        if sent > 0 { return .moved }
        isSendBlocked = Self.step(sent) == .waits
        return Self.step(sent)
    }

    /// The server has closed its end. The peer's own end is waited for, so that nothing on its way is reset.
    private func endPair(at now: MonotonicTime) {
        close(pair)
        pair = -1
        isPairOver = true
        inbound = []
        deadline = now.advanced(by: closeTime)
    }

    private func sayFarewell() -> Step {
        guard isPairOver, !isFarewellSent else { return .waits }
        let code = gnutls_bye(session, GNUTLS_SHUT_WR)
        if code != 0 && gnutls_error_is_fatal(code) == 0 { return .waits }
        isFarewellSent = true
        shutdown(network, Int32(SHUT_WR))
        return .moved
    }

    /// What an error of the library means for the connection.
    private static func step(_ code: Int) -> Step {
        // A request to negotiate anew is no fault, and nobody needs it.
        gnutls_error_is_fatal(Int32(code)) == 0 && code != Int(GNUTLS_E_REHANDSHAKE) ? .waits : .broken
    }
}
