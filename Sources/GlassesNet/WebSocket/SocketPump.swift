import GlassesDomain
import GlassesWebSocket

/// Moves bytes between an open connection's socket and its channel, and tells the receiver.
final class SocketPump {
    let connection: SocketConnection
    private let channel: ClientChannel
    private let receiver: any WebSocketReceiver
    private let host: String
    private var generator = MaskGenerator()
    /// What the kernel has not taken of the last frames; TLS wants the same bytes at the same place again, so nothing is added.
    private var unsent: [UInt8] = []
    private var sentOfUnsent = 0
    private var isWriteBlocked = false
    private var armed: MonotonicTime?
    /// Whether the socket may be closed; the receiver knows the end by then.
    private(set) var isFinished = false

    init(connection: SocketConnection, channel: ClientChannel, receiver: any WebSocketReceiver, host: String) {
        self.connection = connection
        self.channel = channel
        self.receiver = receiver
        self.host = host
    }

    /// Begins with the bytes that came right behind the upgrade's answer.
    func start(_ rest: [UInt8]) {
        if !rest.isEmpty { deliver { $0.received(rest, at: .now) } }
        read()
        settle()
    }

    func handle(_ event: LoopEvent) {
        switch event {
        case .woken:
            channel.wakeArrived()
            deliver { _ in }
            write()
            // After a pause, bytes that TLS has decrypted would never make the socket ready.
            if !connection.isWatchedForReading { read() }
        case .socketReady(let readable, let writable):
            if writable {
                isWriteBlocked = false
                write()
            }
            if readable { read() }
        case .turn: read()
        case .deadlinePassed:
            armed = nil
            deliver { $0.timerFired(at: .now) }
        case .transferEnded: break
        }
        settle()
    }

    /// Reads until nothing is left, the quota is used, or the receiver has had enough.
    private func read() {
        var quota = LoopCore.readQuota
        let buffer = connection.loop.scratch
        while channel.onLoop({ $0.wantsRead }) {
            guard quota > 0 else { return connection.loop.requestTurn(connection.id) }
            switch connection.receive(into: buffer) {
            case .bytes(let count):
                quota -= count
                deliver { $0.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: .now) }
                // The socket was emptied; if more comes, it becomes ready again.
                if count < buffer.count && !connection.hidesBytes { return }
            case .notNow: return
            case .ended: return deliver { $0.peerEnded(at: .now) }
            case .broken: return deliver { $0.linkFailed(Self.broken(host), at: .now) }
            }
        }
    }

    /// Writes until nothing waits or the kernel takes no more.
    private func write() {
        while !isWriteBlocked {
            if unsent.isEmpty { swap(&unsent, &connection.loop.outgoing) }
            if sentOfUnsent == unsent.count {
                unsent.removeAll(keepingCapacity: true)
                sentOfUnsent = 0
                channel.fill(&unsent, using: &generator)
            }
            guard !unsent.isEmpty else { break }
            let outcome = unsent.withUnsafeBytes {
                connection.send(UnsafeRawBufferPointer(rebasing: $0[sentOfUnsent...]))
            }
            switch outcome {
            case .bytes(let count):
                sentOfUnsent += count
                deliver { $0.wrote(count, at: .now) }
            case .notNow: isWriteBlocked = true
            case .ended, .broken: return deliver { $0.linkFailed(Self.broken(host), at: .now) }
            }
        }
        // The buffer goes back, so that an idle connection holds none.
        if unsent.isEmpty, connection.loop.outgoing.isEmpty { swap(&unsent, &connection.loop.outgoing) }
    }

    /// Changes the endpoint and tells the receiver what came of it.
    private func deliver(_ change: (inout WebSocketEndpoint) -> Void) {
        let notices = channel.onLoop { endpoint in
            change(&endpoint)
            return endpoint.takeNotices()
        }
        tell(notices)
    }

    private func tell(_ notices: [WebSocketNotice]) {
        for notice in notices {
            switch notice {
            case .message(let message): receiver.received(message)
            case .drained: receiver.drained()
            case .closed(let closure): receiver.closed(closure)
            }
        }
    }

    /// Writes what the events left behind, and watches the socket and the clock accordingly.
    private func settle() {
        write()
        let wishes = currentWishes()
        isFinished = wishes.isFinished
        guard !isFinished else { return }
        var interest: Poller.Interest = wishes.wantsRead ? .read : []
        if wishes.wantsWrite && isWriteBlocked { interest.insert(.write) }
        guard connection.watch(interest) else {
            deliver { $0.linkFailed(Self.broken(host), at: .now) }
            isFinished = true
            return
        }
        // Proof of life moves the deadline with every packet: an earlier alarm is left to ring and is set anew then.
        if let deadline = wishes.deadline, armed.map({ deadline < $0 }) ?? true {
            armed = deadline
            connection.loop.setDeadline(deadline, for: connection.id)
        }
    }

    private struct Wishes {
        var wantsRead: Bool
        var wantsWrite: Bool
        var deadline: MonotonicTime?
        var isFinished: Bool
    }

    /// What the endpoint wants when the receiver knows everything: a call from another thread may have ended the connection a
    /// moment ago, and the receiver's own calls change the wishes.
    private func currentWishes() -> Wishes {
        while true {
            let (wishes, notices) = channel.onLoop { endpoint in
                let notices = endpoint.takeNotices()
                return (
                    Wishes(
                        wantsRead: endpoint.wantsRead, wantsWrite: endpoint.wantsWrite, deadline: endpoint.deadline,
                        isFinished: endpoint.isFinished), notices
                )
            }
            if notices.isEmpty { return wishes }
            tell(notices)
        }
    }

    private static func broken(_ host: String) -> ConnectionClosure {
        ConnectionClosure(
            code: NetworkError.Cause.connectionLost.rawValue,
            message: "The connection to \(host) broke. Check the network and connect again.",
            closeCode: WebSocketCloseCode.abnormal)
    }
}
