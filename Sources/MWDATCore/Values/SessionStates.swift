/// What a device session does.
public enum DeviceSessionState: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Made, not started.
    case idle
    /// The glasses have been asked.
    case starting
    /// Capabilities may be added.
    case started
    /// The glasses hold it for something else; they give it back or end it.
    case paused
    /// It is being cleaned up.
    case stopping
    /// It has ended; another one needs a new object.
    case stopped

    /// The case's name.
    public var description: String { rawValue }
}

/// What a session of the first two eras does.
public enum SessionState: Int, CaseIterable, Sendable, CustomStringConvertible {
    case stopped = 0
    case waitingForDevice = 1
    case running = 2
    case paused = 3
    case unknown = 4

    /// The case's name.
    public var description: String {
        switch self {
        case .stopped: "stopped"
        case .waitingForDevice: "waitingForDevice"
        case .running: "running"
        case .paused: "paused"
        case .unknown: "unknown"
        }
    }
}

/// Whether a capability of a session is in use.
public enum CapabilityState: String, CaseIterable, Sendable {
    case active
    case stopped
}
