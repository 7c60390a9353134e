import CCurl
import CShims
import GlassesDomain
import Glibc

/// The network thread from inside. It is made on that thread, never leaves it, and everything it owns is used there only.
final class LoopCore {
    /// The bytes that one participant reads before the others have their turn.
    static let readQuota = 256 << 10

    private let mailbox: LoopMailbox
    private let poller: Poller
    private let multi: CurlMulti
    private var participants: [ParticipantID: any LoopParticipant] = [:]
    private var timers = LoopTimers()
    private var commands: [LoopCommand] = []
    private var turns: [ParticipantID] = []
    /// Where participants receive, one after another; nothing stays in it between two calls.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    /// Where participants gather what they send; empty between two calls. Whoever cannot send all of it takes it away.
    var outgoing: [UInt8] = []

    /// Tokens of the poller: 0 is the mailbox, the upper half libcurl's sockets, the rest participants.
    private static let mailboxToken: UInt64 = 0
    private static let curlBit: UInt64 = 1 << 63

    /// Nil when libcurl or the kernel has nothing left to give.
    init?(mailbox: LoopMailbox, poller: Poller) {
        let multi = CurlMulti { [poller] wish in
            guard let interest = wish.interest else { return poller.forget(wish.socket) }
            let token = Self.curlBit | UInt64(UInt32(bitPattern: wish.socket))
            // A socket that cannot be watched ends by its transfer's deadline.
            _ = poller.watch(wish.socket, for: interest, token: token)
        }
        guard let multi,
            poller.watch(
                mailbox.descriptor, for: [.read, .changesOnly], token: Self.mailboxToken)
        else { return nil }
        self.mailbox = mailbox
        self.poller = poller
        self.multi = multi
    }

    deinit { scratch.deallocate() }

    /// Runs for the life of the process.
    func run() -> Never {
        while true { turn() }
    }

    private func turn() {
        var hasCommands = false
        poller.wait(atMost: timeToWait()) { ready in
            if ready.token == Self.mailboxToken {
                hasCommands = true
            } else if ready.token & Self.curlBit != 0 {
                let socket = curl_socket_t(truncatingIfNeeded: ready.token)
                multi.socketReady(socket, readable: ready.readable, writable: ready.writable)
            } else {
                participants[ParticipantID(value: ready.token)]?.handle(
                    .socketReady(readable: ready.readable, writable: ready.writable))
            }
        }
        if hasCommands { obeyCommands() }
        giveTurns()
        fireTimers()
        while let (id, code) = multi.takeEnded() { participants[id]?.handle(.transferEnded(code)) }
    }

    private func timeToWait() -> Duration? {
        if !turns.isEmpty { return .zero }
        let earliest = [timers.next, multi.deadline].compactMap { $0 }.min()
        return earliest.map { MonotonicTime.now.duration(to: $0) }
    }

    private func obeyCommands() {
        mailbox.take(into: &commands)
        for command in commands {
            switch command {
            case .adopt(let id, let make):
                let participant = make(self, id)
                participants[id] = participant
                participant.begin()
            case .wake: break
            }
        }
        for command in commands {
            guard case .wake(let id) = command else { continue }
            participants[id]?.handle(.woken)
        }
        commands.removeAll(keepingCapacity: true)
    }

    private func giveTurns() {
        guard !turns.isEmpty else { return }
        var current: [ParticipantID] = []
        swap(&current, &turns)
        for id in current { participants[id]?.handle(.turn) }
    }

    private func fireTimers() {
        if let deadline = multi.deadline, deadline <= .now { multi.timeIsUp() }
        guard let next = timers.next, next <= .now else { return }
        let now = MonotonicTime.now
        while let id = timers.popDue(at: now) { participants[id]?.handle(.deadlinePassed) }
    }
}

extension LoopCore {
    /// How `id` is woken from other threads.
    func address(of id: ParticipantID) -> LoopAddress { LoopAddress(id: id, mailbox: mailbox) }

    /// Starts a transfer; its end comes as `.transferEnded`. False when libcurl refuses.
    func start(_ handle: CurlHandle, for id: ParticipantID) -> Bool { multi.add(handle, for: id) }

    /// Abandons a transfer, or closes the connection that it made.
    func end(_ handle: CurlHandle) { multi.remove(handle) }

    /// Watches a participant's own socket. False when the kernel refuses.
    func watch(_ socket: Int32, for interest: Poller.Interest, id: ParticipantID) -> Bool {
        poller.watch(socket, for: interest, token: id.value)
    }

    /// Stops watching a socket; call it before the socket is closed.
    func forget(_ socket: Int32) { poller.forget(socket) }

    /// Sets the one deadline of `id`; nil for none. An earlier wish is replaced but keeps its place in memory until its time
    /// has come: move a deadline when it passes, not with every packet.
    func setDeadline(_ time: MonotonicTime?, for id: ParticipantID) { timers.set(time, for: id) }

    /// Asks for a `.turn` after everybody else had one.
    func requestTurn(_ id: ParticipantID) {
        if !turns.contains(id) { turns.append(id) }
    }

    /// Lets go of a participant that has ended.
    func retire(_ id: ParticipantID) {
        timers.set(nil, for: id)
        participants[id] = nil
    }
}
