import MWDATCore

extension DeviceSession {
    /// Adds the display to a started session and returns it; it begins with ``Display/start()``.
    ///
    /// - Throws: `sessionIdle` before the session has started, `sessionAlreadyStopped` at its end, `capabilityAlreadyActive` until an
    ///   earlier display has stopped, and `unexpectedError` with a sentence for glasses without a display.
    public func addDisplay() throws(DeviceSessionError) -> Display {
        if let device, !device.supportsDisplay() {
            throw .unexpectedError("\(device.nameOrId()) has no display. Choose glasses that have one.")
        }
        let driver = DisplayDriver(
            DisplayPorts(
                session: linkSession, work: hub.work, announcements: hub.announcements, tokenRule: hub.tokenRule,
                timekeeper: hub.timekeeper, nextRequest: { self.nextRequest() }, send: { self.send($0) },
                detach: { self.detach($0) }))
        try attach(driver)
        return Display(driver: driver)
    }
}

extension DisplayDriver: SessionCapability {
    var kind: CapabilityKind { .display }

    func sessionDelivered(_ event: LinkEvent) {
        switch event {
        case .displayStarted: take(.displayStarted)
        case .displayEnded(_, let reason): take(.displayEnded(reason))
        case .viewShown(_, let request): take(.viewShown(request))
        case .viewFailed(_, let request, let reason): take(.viewFailed(request, reason))
        case .viewTapped(_, let element): take(.elementTapped(element))
        case .playback(_, let playback): take(.playbackReported(playback))
        default: break  // A session delivers to each of its parts what is that part's business.
        }
    }

    // The panel belongs to someone else meanwhile; what was shown comes back with the session.
    func sessionPaused() {}
    func sessionResumed() {}

    func sessionEnding(_ reason: Refusal?) { take(.sessionEnding(reason)) }
}
