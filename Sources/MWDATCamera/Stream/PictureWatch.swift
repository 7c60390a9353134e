import MWDATCore

/// Looks whether pictures come.
struct PictureWatch: Sendable {
    /// What a look finds.
    enum Finding: Sendable { case fine, stalled, starved }

    private var quietSince: Uptime?
    private var lookAt: Uptime?
    private var askedAt: Uptime?

    /// When to look next.
    var deadline: Uptime? { lookAt }

    /// A picture has come, or one is expected from now on.
    mutating func begin(at now: Uptime) {
        quietSince = now
        lookAt = now + StreamBounds.stall
    }

    /// Looks, and finds a stall again each time that as much time has passed without a picture.
    mutating func look(at now: Uptime) -> Finding {
        guard let quietSince, let due = lookAt, due <= now else { return .fine }
        lookAt = now + StreamBounds.stall
        askedAt = now
        return now - quietSince >= StreamBounds.starve ? .starved : .stalled
    }

    /// Whether a picture that can be decoded alone may be asked for; if so, it counts as asked for.
    mutating func mayAskForKeyFrame(at now: Uptime) -> Bool {
        if let askedAt, now - askedAt < StreamBounds.keyFrame { return false }
        askedAt = now
        return true
    }
}
