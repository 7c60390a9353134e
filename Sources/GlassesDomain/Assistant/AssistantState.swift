/// Where an assistant session stands.
public enum AssistantState: String, Sendable, Hashable, CaseIterable, Codable {
    /// Created, not started.
    case idle
    /// Started and asleep: no connection is open, no microphone sample leaves the process.
    case dormant
    /// Waking: the connection is being opened, configured and given the history.
    case activating
    /// Awake: the microphone is heard and answers are spoken.
    case active
    /// The connection was lost and is being opened again; received audio plays on.
    case reconnecting
    /// Going to sleep: nothing is sent any more, the connection closes.
    case sleeping
    /// Ending: nothing is sent any more, the connection closes.
    case stopping
    /// Ended for good.
    case stopped
}
