import MWDATCore

/// Which glasses the host is connected to, and what it is told of them.
///
/// Glasses that fold or get too hot are lost at once. A link that drops is doubted for ``doubt`` first: it blips in normal use,
/// notably around photos. Lost glasses that come back are told by themselves.
struct ConnectionStateMachine: Sendable, Equatable {
    /// How long a link may be gone before that counts.
    static let doubt: Duration = .milliseconds(2_500)
    /// How long a connect waits for glasses; the host waits for 10 s.
    static let search: Duration = .seconds(9)

    enum Input: Sendable, Equatable {
        /// The host asked for these glasses; nil means any.
        case connectRequested(DeviceIdentifier?)
        case disconnectRequested
        /// All glasses that are known, in the companion's order.
        case glassesChanged([GlassesSnapshot])
        /// The glasses ended the session, for this check.
        case sessionEnded(Refusal.Check)
        case timerFired(Timer)
    }

    enum Timer: Sendable, Hashable {
        case search
        case doubt
    }

    enum Loss: Sendable, Hashable {
        case hingesClosed
        case tooHot
        case dropped
    }

    enum Action: Sendable, Equatable {
        case tellConnecting(DeviceIdentifier)
        case tellConnected(DeviceIdentifier)
        case tellLost(Loss)
        case tellDisconnected
        case completeConnect
        case failConnect
        case completeDisconnect
        case startTimer(Timer, Duration)
        case stopTimer(Timer)
        /// The glasses carry what the host asks for, from now on.
        case use(DeviceIdentifier)
        case release
    }

    private enum State: Sendable, Equatable {
        case idle
        case searching(DeviceIdentifier?)
        case connected(DeviceIdentifier)
        /// Connected as far as the host knows; the link is gone.
        case doubtful(DeviceIdentifier)
        /// Told as lost; watched for a return once they were seen to be gone, since the news of the session is faster than their own.
        case lost(DeviceIdentifier, isGone: Bool)
    }

    private var state = State.idle
    private var glasses: [GlassesSnapshot] = []

    /// The glasses that the host takes to be connected.
    var connected: DeviceIdentifier? {
        switch state {
        case .connected(let id), .doubtful(let id): id
        case .idle, .searching, .lost: nil
        }
    }

    /// What is known of the connected glasses.
    var snapshot: GlassesSnapshot? { connected.flatMap(known) }

    mutating func apply(_ input: Input) -> [Action] {
        switch input {
        case .connectRequested(let wanted): connect(wanted)
        case .disconnectRequested: disconnect()
        case .glassesChanged(let all): changed(all)
        case .sessionEnded(let check): sessionEnded(check)
        case .timerFired(let timer): fired(timer)
        }
    }

    private func known(_ id: DeviceIdentifier) -> GlassesSnapshot? { glasses.first { $0.id == id } }

    /// Worn glasses before others, else the companion's order.
    private func choice(_ wanted: DeviceIdentifier?) -> DeviceIdentifier? {
        let usable = glasses.filter { $0.isUsable && (wanted == nil || $0.id == wanted) }
        return (usable.first(where: \.isWorn) ?? usable.first)?.id
    }

    private mutating func connect(_ wanted: DeviceIdentifier?) -> [Action] {
        switch state {
        case .idle, .lost: break
        case .searching, .connected, .doubtful: return [.failConnect]
        }
        guard let id = choice(wanted) else {
            state = .searching(wanted)
            return [.startTimer(.search, Self.search)]
        }
        return enter(id)
    }

    private mutating func enter(_ id: DeviceIdentifier) -> [Action] {
        state = .connected(id)
        return [.tellConnecting(id), .tellConnected(id), .use(id), .completeConnect]
    }

    private mutating func disconnect() -> [Action] {
        defer { state = .idle }
        let rest: [Action] = [.tellDisconnected, .completeDisconnect]
        return switch state {
        case .idle: [.completeDisconnect]
        case .searching: [.stopTimer(.search), .failConnect] + rest
        case .connected: [.release] + rest
        case .doubtful: [.stopTimer(.doubt), .release] + rest
        case .lost: rest
        }
    }

    private mutating func changed(_ all: [GlassesSnapshot]) -> [Action] {
        glasses = all
        switch state {
        case .idle: return []
        case .searching(let wanted):
            guard let id = choice(wanted) else { return [] }
            return [.stopTimer(.search)] + enter(id)
        case .connected(let id):
            let now = known(id)
            if let loss = Self.loss(now) { return lose(id, loss) }
            if now?.isReachable == true { return [] }
            state = .doubtful(id)
            return [.startTimer(.doubt, Self.doubt)]
        case .doubtful(let id):
            let now = known(id)
            if let loss = Self.loss(now) { return [.stopTimer(.doubt)] + lose(id, loss) }
            guard now?.isReachable == true else { return [] }
            state = .connected(id)
            return [.stopTimer(.doubt)]
        case .lost(let id, let isGone):
            let isUsable = known(id)?.isUsable == true
            guard isGone, isUsable else {
                state = .lost(id, isGone: isGone || !isUsable)
                return []
            }
            state = .connected(id)
            return [.tellConnected(id), .use(id)]
        }
    }

    private mutating func sessionEnded(_ check: Refusal.Check) -> [Action] {
        guard let id = connected, let loss = Self.loss(check) else { return [] }
        let timers: [Action] = if case .doubtful = state { [.stopTimer(.doubt)] } else { [] }
        return timers + lose(id, loss)
    }

    private mutating func fired(_ timer: Timer) -> [Action] {
        switch (timer, state) {
        case (.search, .searching):
            state = .idle
            return [.failConnect]
        case (.doubt, .doubtful(let id)): return lose(id, .dropped)
        case (.search, _), (.doubt, _): return []
        }
    }

    private mutating func lose(_ id: DeviceIdentifier, _ loss: Loss) -> [Action] {
        state = .lost(id, isGone: known(id)?.isUsable != true)
        return [.release, .tellLost(loss)]
    }

    /// Why the end of a session is the loss of its glasses; nil where it is not.
    private static func loss(_ check: Refusal.Check) -> Loss? {
        switch check {
        case .hinges: .hingesClosed
        case .thermal: .tooHot
        default: nil
        }
    }

    /// Why glasses are lost at once; nil for what is doubted first, and for what is fine.
    private static func loss(_ glasses: GlassesSnapshot?) -> Loss? {
        guard let glasses else { return nil }
        if glasses.isFolded { return .hingesClosed }
        return glasses.isTooHot ? .tooHot : nil
    }
}
