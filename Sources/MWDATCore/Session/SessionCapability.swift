/// What a session can carry, one of each kind.
package enum CapabilityKind: String, Sendable, CaseIterable {
    case camera
    case display
}

/// A part of a session, such as its camera.
///
/// It is called on the toolkit's own serial queue, in order, never under a lock, and kept alive until it has left the session.
package protocol SessionCapability: AnyObject, Sendable {
    var kind: CapabilityKind { get }
    /// The link told something of this kind's business.
    func sessionDelivered(_ event: LinkEvent)
    /// The glasses hold the session for something else.
    func sessionPaused()
    /// They gave it back.
    func sessionResumed()
    /// The session ends, or the app removes this part; nil when the app asked for it. Stop, and call `detach` within one second: the
    /// session waits no longer.
    func sessionEnding(_ reason: Refusal?)
    /// The app went to the background, or came back.
    func appMoved(inBackground: Bool)
}

extension SessionCapability {
    package func appMoved(inBackground: Bool) {}
}

extension LinkEvent {
    /// The session that the event is about, and the kind of its parts that it is for; nil for the session itself.
    package var destination: (session: LinkSession, kind: CapabilityKind?)? {
        switch self {
        case .sessionStarted(let id), .sessionPaused(let id), .sessionResumed(let id), .sessionWarned(let id, _),
            .sessionEnded(let id, _):
            (id, nil)
        case .streamStarted(let id, _), .streamPaused(let id, _), .streamResumed(let id, _), .streamEnded(let id, _, _),
            .frame(let id, _, _), .audio(let id, _, _), .photo(let id, _, _), .photoFailed(let id, _, _):
            (id, .camera)
        case .displayStarted(let id), .displayEnded(let id, _), .viewShown(let id, _), .viewFailed(let id, _, _),
            .viewTapped(let id, _), .playback(let id, _):
            (id, .display)
        case .available, .unavailable, .registration, .registrationRequested, .devices, .device, .permission,
            .permissionFailed, .navigation:
            nil
        }
    }
}
