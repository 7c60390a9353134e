import Dispatch
import Glibc
import MWDATCore
import Synchronization

/// Who may come in: codes, keys, and the one phone that is connected. Hands connections of admitted phones to the link.
final class Reception: Sendable {
    private struct State {
        var guardian = PairingGuard()
        var occupant: Occupant?
        /// Admitted, and not taken by the link yet.
        var waiting: (any LinkWire)?
        var dialFailure: Refusal?
        var isStopped = false
        var announced: DATBridgeState?
    }

    private struct Occupant {
        var phone: PairedPhone
        var wire: (any LinkWire)?
    }

    private struct Claim {
        var verdict: HandshakeMachine.Input
        /// The phone's own earlier connection.
        var former: (any LinkWire)?
        /// The same, when the link has not taken it.
        var waiting: (any LinkWire)?
    }

    /// A wrong key is answered this late, so that nobody can try many.
    private static let slowness = Duration.seconds(1)

    let store: PairingStore
    let heartbeat: Duration
    private let name: String
    private let rounds: Int
    private let announce: @Sendable (DATBridgeState) -> Void
    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    init(
        name: String, store: PairingStore, heartbeat: Duration, rounds: Int,
        announce: @escaping @Sendable (DATBridgeState) -> Void
    ) {
        self.name = name
        self.store = store
        self.heartbeat = heartbeat
        self.rounds = rounds
        self.announce = announce
    }

    /// What this end says of itself in one greeting.
    func newHost() -> HandshakeMachine.Host {
        let nonce = Hexadecimal.text(SystemRandomness.bytes(GreetingTranscript.nonceSize))
        return HandshakeMachine.Host(
            name: name, identifier: store.host, nonce: nonce, heartbeat: Int(heartbeat.components.seconds))
    }

    // MARK: Codes

    /// Makes a code that may be used once, in place of an earlier one.
    func showCode() -> PairingCode {
        var generator = SystemRandomness()
        let code = PairingAlphabet.code(using: &generator)
        change { $0.guardian.show(code, at: .now) }
        return PairingCode(text: PairingAlphabet.readable(code), validity: PairingGuard.validity)
    }

    func lookUp(_ secret: LinkSecret, _ transcript: GreetingTranscript) -> HandshakeMachine.Input {
        if let refused = refusal(of: transcript.peer) { return .secretRefused(refused) }
        switch secret {
        case .key:
            guard let key = store.key(of: transcript.peer) else { return .secretRefused(Self.unknownPeer) }
            return .secretFound(key, rounds: nil)
        case .code:
            switch change({ $0.guardian.begin(at: .now) }) {
            case .noCode: return .secretRefused(Self.noCode)
            case .later(let wait):
                let milliseconds = Int(wait / .milliseconds(1)) + 1
                return .secretRefused(LinkRefused(.slowDown, Self.tooFast, retryAfter: milliseconds))
            case .tryIt(let code):
                guard let key = transcript.secret(ofCode: code, rounds: rounds) else {
                    return .secretRefused(Self.noCode)
                }
                return .secretFound(key, rounds: rounds)
            }
        }
    }

    /// Blocks for a second when a key was wrong.
    func wrongProof(of secret: LinkSecret) {
        switch secret {
        case .code: _ = change { $0.guardian.failed(at: .now) }
        case .key: usleep(UInt32(Self.slowness / .microseconds(1)))
        }
    }

    func attemptGaveUp() { change { $0.guardian.gaveUp() } }

    // MARK: The one phone

    /// Takes the phone's place and keeps its key; an earlier connection of the same phone gives way.
    func claim(_ phone: PairedPhone, key: [UInt8]?) -> HandshakeMachine.Input {
        if let refused = refusal(of: phone.identifier) { return .notAdmitted(refused) }
        if let key {
            do throws(DATBridgeError) { try store.keep(phone, key: key) } catch {
                return .notAdmitted(LinkRefused(.closing, error.message))
            }
        }
        let claimed = change { state -> Claim in
            if let refused = Self.refusal(of: phone.identifier, state) { return Claim(verdict: .notAdmitted(refused)) }
            let claimed = Claim(verdict: .admitted, former: state.occupant?.wire, waiting: state.waiting)
            state.occupant = Occupant(phone: phone)
            state.waiting = nil
            if key != nil { state.guardian.used() }
            return claimed
        }
        claimed.former?.abandon(Self.replaced)
        // Nobody else finishes a connection that the link has not taken.
        claimed.waiting?.finish(within: .zero)
        return claimed.verdict
    }

    /// The greeting of a phone that claimed its place is over: its messages follow.
    func handOver(_ wire: any LinkWire, of phone: PairedPhone) {
        let isCurrent = change { state in
            guard !state.isStopped, state.occupant?.phone == phone, state.occupant?.wire == nil else { return false }
            state.occupant?.wire = wire
            state.waiting = wire
            state.dialFailure = nil
            return true
        }
        if isCurrent { arrived.signal() } else { wire.finish(within: Handshake.farewell) }
    }

    /// The link is done with a connection.
    func left(_ wire: any LinkWire) {
        change { state in
            guard let occupant = state.occupant?.wire, occupant === wire else { return }
            state.occupant = nil
        }
    }

    /// The next admitted connection; nil when the time is over or somebody rang.
    func next(within bound: DispatchTimeInterval) -> (any LinkWire)? {
        if let wire = takeWaiting() { return wire }
        _ = arrived.wait(timeout: .now() + bound)
        return takeWaiting()
    }

    /// Ends a wait in ``next(within:)``.
    func ring() { arrived.signal() }

    func dialFailed(_ refusal: Refusal) { change { $0.dialFailure = refusal } }

    func forget(_ identifier: String) throws(DATBridgeError) {
        try store.forget(identifier)
        let wire = change { state in
            state.occupant?.phone.identifier == identifier ? state.occupant?.wire : nil
        }
        wire?.abandon(Self.forgotten)
    }

    /// Lets nobody in any more; the link hears that its phone is gone.
    func stop() {
        let (waiting, connected) = change { state in
            state.isStopped = true
            defer { state.waiting = nil }
            return (state.waiting, state.occupant?.wire)
        }
        connected?.abandon(Self.stopped)
        waiting?.finish(within: .zero)
    }

    private func takeWaiting() -> (any LinkWire)? {
        change { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    private func refusal(of identifier: String) -> LinkRefused? { change { Self.refusal(of: identifier, $0) } }

    private static func refusal(of identifier: String, _ state: State) -> LinkRefused? {
        if state.isStopped { return closing }
        guard let occupant = state.occupant, occupant.phone.identifier != identifier else { return nil }
        return occupied
    }

    /// Every change announces the state it leads to, once and in order.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state)
            let now = Self.summary(state)
            if state.announced != now {
                state.announced = now
                announce(now)
            }
            return result
        }
    }

    private static func summary(_ state: State) -> DATBridgeState {
        if state.isStopped { return .stopped }
        if let occupant = state.occupant {
            // Between a claim and its welcome nothing is announced.
            return occupant.wire == nil ? state.announced ?? .waiting : .connected(occupant.phone)
        }
        if state.guardian.shown != nil { return .pairing }
        return state.dialFailure.map(DATBridgeState.unreachable) ?? .waiting
    }

    private static let closing = LinkRefused(.closing, "The bridge is ending. Start it again.")
    private static let occupied = LinkRefused(
        .occupied, "Another phone is connected. Disconnect it first.", retryAfter: 5_000)
    private static let unknownPeer = LinkRefused(.unknownPeer, "This phone is not paired here. Pair it with a code.")
    private static let noCode = LinkRefused(.noCode, "No code is shown. Ask for one on the other side.")
    private static let tooFast = "A code was tried just now. Wait, then try again."
    private static let replaced = Refusal(
        .transport, "The phone connected anew; the older connection was given up.", isRetryable: true)
    private static let stopped = Refusal(
        .transport, "The bridge to the phone was stopped. Start it again.", isRetryable: false)
    private static let forgotten = Refusal(
        .trust, "The phone was removed from the paired ones. Pair it again with a code.", isRetryable: false)
}
