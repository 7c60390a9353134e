extension LinkEvent {
    /// Nil for a kind that is no event.
    init?(kind: String, _ fields: LinkFields) throws {
        guard let read = Self.readers[kind] else { return nil }
        self = try read(fields)
    }

    private static let readers: [String: @Sendable (LinkFields) throws -> LinkEvent] =
        wearableReaders.merging(sessionReaders) { one, _ in one }.merging(streamReaders) { one, _ in one }

    /// Of the other end, the registration, devices and permissions.
    private static let wearableReaders: [String: @Sendable (LinkFields) throws -> LinkEvent] = [
        "available": { .available(LinkPeer(name: try $0.text("name"), version: try $0.text("version"))) },
        "unavailable": { .unavailable(try $0.refusal()) },
        "registration": { .registration(try RegistrationState($0), try $0.optionalRefusal()) },
        "registration.requested": {
            .registrationRequested(try $0.identifier("request"), appName: try $0.text("appName"))
        },
        "devices": { .devices(try $0.objects("devices").map { try LinkDevice($0) }) },
        "device": { .device(try LinkDevice($0.object("device"))) },
        "permission": { .permission(try $0.identifier("request"), try $0.choice("status")) },
        "permission.failed": { .permissionFailed(try $0.identifier("request"), try $0.refusal()) },
        "navigation": { .navigation(try $0.identifier("request"), try $0.optionalRefusal()) },
    ]

    /// Of sessions, photos and the display.
    private static let sessionReaders: [String: @Sendable (LinkFields) throws -> LinkEvent] = [
        "session.started": { .sessionStarted(try $0.identifier("session")) },
        "session.paused": { .sessionPaused(try $0.identifier("session")) },
        "session.resumed": { .sessionResumed(try $0.identifier("session")) },
        "session.warned": { .sessionWarned(try $0.identifier("session"), try $0.refusal()) },
        "session.ended": { .sessionEnded(try $0.identifier("session"), try $0.optionalRefusal()) },
        "photo": {
            let photo = LinkPhoto(format: try $0.choice("format"), bytes: $0.payload)
            return .photo(try $0.identifier("session"), try $0.identifier("request"), photo)
        },
        "photo.failed": {
            .photoFailed(try $0.identifier("session"), try $0.identifier("request"), try $0.refusal())
        },
        "display.started": { .displayStarted(try $0.identifier("session")) },
        "display.ended": { .displayEnded(try $0.identifier("session"), try $0.optionalRefusal()) },
        "view.shown": { .viewShown(try $0.identifier("session"), try $0.identifier("request")) },
        "view.failed": {
            .viewFailed(try $0.identifier("session"), try $0.identifier("request"), try $0.refusal())
        },
        "view.tapped": { .viewTapped(try $0.identifier("session"), element: try $0.text("element")) },
        "playback": { .playback(try $0.identifier("session"), try $0.choice("playback")) },
    ]

    /// Of streams.
    private static let streamReaders: [String: @Sendable (LinkFields) throws -> LinkEvent] = [
        "stream.started": { .streamStarted(try $0.identifier("session"), try $0.identifier("stream")) },
        "stream.paused": { .streamPaused(try $0.identifier("session"), try $0.identifier("stream")) },
        "stream.resumed": { .streamResumed(try $0.identifier("session"), try $0.identifier("stream")) },
        "stream.ended": {
            .streamEnded(try $0.identifier("session"), try $0.identifier("stream"), try $0.optionalRefusal())
        },
        "frame": { .frame(try $0.identifier("session"), try $0.identifier("stream"), try LinkFrame($0)) },
        "audio": { .audio(try $0.identifier("session"), try $0.identifier("stream"), try LinkAudio($0)) },
    ]
}
