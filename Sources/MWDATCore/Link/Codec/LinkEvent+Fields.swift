import Foundation

// Events as headers: the kind, the fields beside it, and for pictures, sound and photos the payload.

extension LinkEvent {
    /// The name of the message.
    var kind: String {
        switch self {
        case .available: "available"
        case .unavailable: "unavailable"
        case .registration: "registration"
        case .registrationRequested: "registration.requested"
        case .devices: "devices"
        case .device: "device"
        case .permission: "permission"
        case .permissionFailed: "permission.failed"
        case .navigation: "navigation"
        case .sessionStarted: "session.started"
        case .sessionPaused: "session.paused"
        case .sessionResumed: "session.resumed"
        case .sessionWarned: "session.warned"
        case .sessionEnded: "session.ended"
        case .streamStarted: "stream.started"
        case .streamPaused: "stream.paused"
        case .streamResumed: "stream.resumed"
        case .streamEnded: "stream.ended"
        case .frame: "frame"
        case .audio: "audio"
        case .photo: "photo"
        case .photoFailed: "photo.failed"
        case .displayStarted: "display.started"
        case .displayEnded: "display.ended"
        case .viewShown: "view.shown"
        case .viewFailed: "view.failed"
        case .viewTapped: "view.tapped"
        case .playback: "playback"
        }
    }

    var fields: [String: LinkJSON] {
        switch self {
        case .available(let peer): ["name": .string(peer.name), "version": .string(peer.version)]
        case .unavailable(let refusal): ["refusal": refusal.json]
        case .registration(let state, let refusal):
            ["state": .string(state.description)].with(refusal)
        case .registrationRequested(let request, let appName):
            ["request": .id(request), "appName": .string(appName)]
        case .devices(let devices): ["devices": .array(devices.map(\.json))]
        case .device(let device): ["device": device.json]
        case .permission(let request, let status): ["request": .id(request), "status": .string(status.rawValue)]
        case .permissionFailed(let request, let refusal): ["request": .id(request)].with(refusal)
        case .navigation(let request, let refusal): ["request": .id(request)].with(refusal)
        case .sessionStarted, .sessionPaused, .sessionResumed, .sessionWarned, .sessionEnded, .displayStarted,
            .displayEnded, .viewShown, .viewFailed, .viewTapped, .playback, .photo, .photoFailed:
            sessionFields
        case .streamStarted, .streamPaused, .streamResumed, .streamEnded, .frame, .audio: streamFields
        }
    }

    private var sessionFields: [String: LinkJSON] {
        switch self {
        case .sessionStarted(let session), .sessionPaused(let session), .sessionResumed(let session),
            .displayStarted(let session):
            ["session": .id(session)]
        case .sessionWarned(let session, let refusal): ["session": .id(session)].with(refusal)
        case .sessionEnded(let session, let refusal), .displayEnded(let session, let refusal):
            ["session": .id(session)].with(refusal)
        case .viewShown(let session, let request): ["session": .id(session), "request": .id(request)]
        case .viewFailed(let session, let request, let refusal), .photoFailed(let session, let request, let refusal):
            ["session": .id(session), "request": .id(request)].with(refusal)
        case .viewTapped(let session, let element): ["session": .id(session), "element": .string(element)]
        case .playback(let session, let playback):
            ["session": .id(session), "playback": .string(playback.rawValue)]
        case .photo(let session, let request, let photo):
            ["session": .id(session), "request": .id(request), "format": .string(photo.format.rawValue)]
        default: [:]
        }
    }

    private var streamFields: [String: LinkJSON] {
        switch self {
        case .streamStarted(let session, let stream), .streamPaused(let session, let stream),
            .streamResumed(let session, let stream):
            ["session": .id(session), "stream": .id(stream)]
        case .streamEnded(let session, let stream, let refusal):
            ["session": .id(session), "stream": .id(stream)].with(refusal)
        case .frame(let session, let stream, let frame):
            [
                "session": .id(session), "stream": .id(stream), "coding": .string(frame.coding.rawValue),
                "width": .integer(Int64(frame.width)), "height": .integer(Int64(frame.height)), "time": .id(frame.time),
                "keyFrame": .bool(frame.isKeyFrame), "parameters": .integer(Int64(frame.parameterSets.count)),
            ]
        case .audio(let session, let stream, let audio):
            [
                "session": .id(session), "stream": .id(stream), "sampleRate": .integer(Int64(audio.sampleRate)),
                "time": .id(audio.time),
            ]
        default: [:]
        }
    }

    var payload: Data {
        switch self {
        case .frame(_, _, let frame): frame.payload
        case .audio(_, _, let audio): audio.bytes
        case .photo(_, _, let photo): photo.bytes
        default: Data()
        }
    }
}

extension [String: LinkJSON] {
    fileprivate func with(_ refusal: Refusal?) -> Self {
        guard let refusal else { return self }
        return merging(["refusal": refusal.json]) { _, new in new }
    }
}
