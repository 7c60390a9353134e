import GlassesDomain

/// When the user is given a sign that a tool still runs: once it has run for two seconds in which nothing was heard.
///
/// It looks at the session's events. One sign is given for each time in which tools run, however many there are.
public struct ProgressSign: Sendable, Hashable {
    /// How long a tool may run in silence.
    public static let patience = Duration.seconds(2)

    /// What the driver does.
    public enum Action: Sendable, Hashable {
        /// Call ``isDue()`` at this moment, instead of any other.
        case schedule(at: MonotonicTime)
        /// Forget that moment.
        case cancel
    }

    private var running: Set<String> = []
    private var isAudible = false
    private var isAwaited = false

    /// No tool runs.
    public init() {}

    /// Takes an event of the session.
    public mutating func apply(_ event: AssistantEvent, at now: MonotonicTime) -> Action? {
        switch event {
        case .toolCalled(_, _, let callID):
            let isFirst = running.isEmpty
            running.insert(callID)
            guard isFirst, !isAudible else { return nil }
            isAwaited = true
            return .schedule(at: now.advanced(by: Self.patience))
        case .toolResult(let callID, _, _, _, _):
            running.remove(callID)
            return running.isEmpty ? callOff() : nil
        case .assistantAudioStarted:
            isAudible = true
            return callOff()
        case .assistantAudioFinished:
            isAudible = false
            return nil
        case .wentDormant, .sessionEnded: return callOff()
        case .sessionStarted, .userSpoke, .assistantSpoke, .reconnected, .error: return nil
        }
    }

    /// The moment has come: whether the sign is to be given.
    public mutating func isDue() -> Bool {
        defer { isAwaited = false }
        return isAwaited
    }

    private mutating func callOff() -> Action? {
        defer { isAwaited = false }
        return isAwaited ? .cancel : nil
    }
}
