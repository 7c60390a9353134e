import GlassesDomain

/// A moment of a rotation that a timer waits for.
public enum RotationMark: Sendable, Hashable, CaseIterable, Codable {
    /// The change is due: a quiet moment is looked for.
    case due
    /// The end is near: the next moment in which nothing is under way will do.
    case urgent
    /// The end is at hand: the connection is changed whatever is under way.
    case final
    /// It has been quiet for long enough.
    case quiet
    /// After an attempt that the network failed: the next one.
    case retry
}

/// What a rotation learns.
public enum RotationInput: Sendable, Hashable {
    /// The session has a new connection, which its provider ends at this moment; nil: never.
    case connected(endsAt: MonotonicTime?)
    /// The provider says anew when it ends the connection.
    case endAnnounced(MonotonicTime)
    /// The session has no connection that could be rotated.
    case disconnected
    /// A change of connection is wanted at the next quiet moment, whatever its age.
    case wanted
    /// Nobody speaks, nothing plays, no answer is active, no call runs.
    case quietBegan
    /// Something is under way.
    case quietEnded
    /// A mark's timer came due.
    case reached(RotationMark)
    /// The provider allows no second connection.
    case secondRefused
    /// The second connection failed for a reason that passes.
    case secondFailed
}

/// What a rotation orders.
public enum RotationAction: Sendable, Hashable {
    case schedule(RotationMark, at: MonotonicTime)
    case cancel(RotationMark)
    /// Open a second connection and give it the conversation.
    case openSecond
    /// Close the second connection: the conversation has gone on.
    case callOff
    /// Leave the connection and open another one.
    case reconnect(ReconnectReason)
}

/// When a session changes its connection before the provider ends it, and in which way.
///
/// It knows nothing of connections: the session machine opens the second one, replays the conversation and moves.
public struct RotationStateMachine: Sendable, Hashable {
    /// Before the end of a connection the change becomes due. Of one that lives for less than an hour each of these three is a
    /// proportional part of its life.
    public static let lead = Duration.seconds(600)
    /// Before the end the next moment in which nothing is under way will do.
    public static let urgency = Duration.seconds(60)
    /// Before the end nothing is waited for any more.
    public static let lastCall = Duration.seconds(10)
    /// The life that the three are meant for.
    static let usualLife = Duration.seconds(3_600)
    /// So long it has to be quiet.
    public static let quietTime = Duration.seconds(1)
    /// From an attempt that the network failed to the next.
    static let retryPause = Duration.seconds(30)

    enum State: Sendable, Hashable {
        /// There is no connection to leave.
        case off
        /// No change is due.
        case waiting
        /// A quiet moment is looked for.
        case seeking
        /// The second connection is on its way.
        case attempting
        /// The network failed an attempt; the next one comes later.
        case pausing
    }

    private(set) var state = State.off
    /// Whether any moment in which nothing is under way will do.
    private var isUrgent = false
    /// Whether the provider allows one connection only.
    private(set) var isSecondRefused: Bool
    private var quietSince: MonotonicTime?
    /// How long the connection lives in all, by what is known.
    private var life = Duration.zero

    /// A rotation without a connection, at a provider that allows a second one unless it is known not to.
    public init(allowsSecond: Bool = true) { isSecondRefused = !allowsSecond }

    /// Whether a change of connection is due or under way.
    var isDue: Bool {
        switch state {
        case .off, .waiting: false
        case .seeking, .attempting, .pausing: true
        }
    }

    /// Applies a fact and returns what has to be done, in this order.
    public mutating func apply(_ input: RotationInput, at now: MonotonicTime) -> [RotationAction] {
        switch input {
        case .connected(let end): connected(until: end, now)
        case .endAnnounced(let end): state == .off ? [] : marks(until: end, now)
        case .disconnected: disconnected()
        case .wanted: state == .waiting ? seek(now) : []
        case .quietBegan: quietBegan(now)
        case .quietEnded: quietEnded()
        case .reached(let mark): reached(mark, now)
        case .secondRefused: attemptEnded(isRefused: true, now)
        case .secondFailed: attemptEnded(isRefused: false, now)
        }
    }

    // MARK: - Connections

    private mutating func connected(until end: MonotonicTime?, _ now: MonotonicTime) -> [RotationAction] {
        state = .waiting
        isUrgent = false
        life = .zero
        return RotationMark.allCases.map(RotationAction.cancel) + (end.map { marks(until: $0, now) } ?? [])
    }

    private mutating func marks(until end: MonotonicTime, _ now: MonotonicTime) -> [RotationAction] {
        life = max(life, now.duration(to: end))
        func moment(_ lead: Duration) -> MonotonicTime {
            let part = life < Self.usualLife ? life * (lead / Self.usualLife) : lead
            return end.advanced(by: .zero - part)
        }
        return [
            .schedule(.due, at: moment(Self.lead)), .schedule(.urgent, at: moment(Self.urgency)),
            .schedule(.final, at: moment(Self.lastCall)),
        ]
    }

    private mutating func disconnected() -> [RotationAction] {
        defer { state = .off }
        let off = state == .attempting ? [RotationAction.callOff] : []
        return off + (state == .off ? [] : RotationMark.allCases.map(RotationAction.cancel))
    }

    // MARK: - Moments

    private mutating func reached(_ mark: RotationMark, _ now: MonotonicTime) -> [RotationAction] {
        switch (mark, state) {
        case (_, .off): return []
        case (.due, .waiting): return seek(now)
        case (.urgent, _):
            isUrgent = true
            return state == .attempting || state == .pausing ? [] : seek(now)
        case (.final, _):
            let off = state == .attempting ? [RotationAction.callOff] : []
            state = .waiting
            return off + [.reconnect(.ceilingApproach)]
        case (.quiet, .seeking), (.retry, .pausing): return seek(now)
        case (.due, _), (.quiet, _), (.retry, _): return []
        }
    }

    /// Begins when it has been quiet for long enough, or waits until it has.
    private mutating func seek(_ now: MonotonicTime) -> [RotationAction] {
        state = .seeking
        guard let quietSince else { return [] }
        let moment = isUrgent ? quietSince : quietSince.advanced(by: Self.quietTime)
        guard moment <= now else { return [.schedule(.quiet, at: moment)] }
        guard isSecondRefused else {
            state = .attempting
            return [.openSecond]
        }
        state = .waiting
        return [.reconnect(.proactiveCadence)]
    }

    private mutating func quietBegan(_ now: MonotonicTime) -> [RotationAction] {
        guard quietSince == nil else { return [] }
        quietSince = now
        return state == .seeking ? seek(now) : []
    }

    private mutating func quietEnded() -> [RotationAction] {
        guard quietSince != nil else { return [] }
        quietSince = nil
        switch state {
        case .seeking: return [.cancel(.quiet)]
        case .attempting:
            state = .seeking
            return [.callOff]
        case .off, .waiting, .pausing: return []
        }
    }

    // MARK: - The attempt

    private mutating func attemptEnded(isRefused: Bool, _ now: MonotonicTime) -> [RotationAction] {
        guard state == .attempting else { return [] }
        guard !isRefused else {
            isSecondRefused = true
            return seek(now)
        }
        state = .pausing
        return [.schedule(.retry, at: now.advanced(by: Self.retryPause))]
    }
}
