import GlassesDomain

/// One summary of a part of the conversation; the machine numbers them.
public struct CompactionID: Sendable, Hashable, Codable {
    /// The machine's number.
    public let number: Int
    /// The compaction with this number.
    public init(_ number: Int) { self.number = number }
}

/// What becomes of a history that grows towards its cap.
public enum CompactionPlan: Sendable, Hashable, Codable {
    /// The oldest turns are forgotten at the cap.
    case forget
    /// The older half becomes one summary.
    case summarise
    /// The app replaces all turns.
    case replace
}

/// When a history is to be made shorter: one attempt at a time, and after a failure a pause.
struct HistoryPressure: Sendable, Hashable {
    /// From a failure to the next attempt: a gateway that fails is not asked at every turn.
    static let pause = Duration.seconds(30)
    /// Shorter histories are not worth a summary.
    static let leastCap = 8
    /// Fewer turns are not worth a summary either.
    static let leastTurns = 3

    private enum State: Sendable, Hashable {
        case idle
        /// The entries that the attempt is about.
        case running(CompactionID, [String])
        case failed(at: MonotonicTime)
    }

    let plan: CompactionPlan
    private let threshold: Int
    private var state = State.idle

    init(plan: CompactionPlan, cap: Int) {
        self.plan = cap < Self.leastCap ? .forget : plan
        threshold = cap - max(1, cap / 10)
    }

    /// Whether an attempt may begin now: one that failed is repeated after the pause, a first one needs a history that has changed.
    func mayBegin(hasChanged: Bool, at now: MonotonicTime) -> Bool {
        guard plan != .forget else { return false }
        switch state {
        case .idle: return hasChanged
        case .running: return false
        case .failed(let moment): return moment.duration(to: now) >= Self.pause
        }
    }

    /// Whether a history of so many turns has to become shorter.
    func isDue(turns: Int) -> Bool { turns >= threshold }

    mutating func begin(_ id: CompactionID, entries: [String]) { state = .running(id, entries) }

    /// The entries of an attempt that has ended well; nil when it is not the one that runs.
    mutating func succeed(_ id: CompactionID) -> [String]? {
        guard case .running(id, let entries) = state else { return nil }
        state = .idle
        return entries
    }

    /// After an attempt that helped too little the next one waits as after a failure.
    mutating func rest(turns: Int, at now: MonotonicTime) {
        if isDue(turns: turns) { state = .failed(at: now) }
    }

    mutating func fail(_ id: CompactionID, at now: MonotonicTime) {
        if case .running(id, _) = state { state = .failed(at: now) }
    }

    /// The history was replaced, or ends: nothing comes of the attempt that runs, if one does.
    mutating func callOff() -> CompactionID? {
        defer { state = .idle }
        if case .running(let id, _) = state { return id }
        return nil
    }
}
