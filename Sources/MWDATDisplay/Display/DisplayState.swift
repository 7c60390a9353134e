/// What a ``Display`` does.
public enum DisplayState: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Not started yet, or ended: another run needs another `addDisplay()`.
    case stopped
    /// The glasses have been asked.
    case starting
    /// Views can be sent.
    case started
    /// It is being cleaned up.
    case stopping

    /// The case's name.
    public var description: String { rawValue }
}
