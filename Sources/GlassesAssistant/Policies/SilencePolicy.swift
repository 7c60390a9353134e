import GlassesDomain

/// What is going on in a session that is not silence.
public struct SessionActivity: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int
    /// Activities with the given bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The user speaks.
    public static let speech = SessionActivity(rawValue: 1)
    /// Audio is heard or waits in the playout queue.
    public static let playback = SessionActivity(rawValue: 2)
    /// A tool runs.
    public static let tool = SessionActivity(rawValue: 4)
    /// An answer is being made or was asked for.
    public static let answer = SessionActivity(rawValue: 8)
    /// The session is not awake, so silence means nothing.
    public static let notAwake = SessionActivity(rawValue: 16)
}

/// When a session sleeps because nothing happens: silence counts only while nobody speaks, nothing plays and no tool runs.
///
/// The count begins when the last activity ends, so after an answer at the moment when its last sample was heard.
public struct SilencePolicy: Sendable, Hashable {
    /// What to do with the one silence timer.
    public enum Action: Sendable, Hashable {
        case none
        case schedule(at: MonotonicTime)
        case cancel
    }

    private let timeout: Duration?
    private var isCounting = false

    /// A policy; nil never sleeps.
    public init(timeout: Duration?) { self.timeout = timeout }

    /// Takes the whole current activity; `wasTouched` says that something short happened, such as a typed turn.
    public mutating func apply(_ activity: SessionActivity, wasTouched: Bool, at now: MonotonicTime) -> Action {
        guard let timeout else { return .none }
        guard activity.isEmpty else {
            defer { isCounting = false }
            return isCounting ? .cancel : .none
        }
        if isCounting, !wasTouched { return .none }
        isCounting = true
        return .schedule(at: now.advanced(by: timeout))
    }
}
