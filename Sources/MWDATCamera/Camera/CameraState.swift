/// What a camera does.
public enum CameraState: String, CaseIterable, Sendable {
    /// It is being attached to its session. A camera is attached when `addCamera` returns, so it is never seen here.
    case starting
    /// It is attached, and its stream can be started.
    case started
    /// Its stream ends; ``stopped`` follows within 2 s.
    case stopping
    /// It is detached from its session, which can take another one.
    case stopped
}
