import Foundation

// Commands as headers: the kind, the fields beside it, and for a view the payload.

extension LinkCommand {
    /// The name of the message.
    var kind: String {
        switch self {
        case .register: "register"
        case .cancelRegistration: "register.cancel"
        case .unregister: "unregister"
        case .openedURL: "url.opened"
        case .answerRegistrationRequest: "registration.answer"
        case .checkPermission: "permission.check"
        case .requestPermission: "permission.request"
        case .openUpdate: "update.open"
        case .openSession: "session.open"
        case .closeSession: "session.close"
        case .startStream: "stream.start"
        case .stopStream: "stream.stop"
        case .requestKeyFrame: "stream.keyFrame"
        case .holdStream: "stream.hold"
        case .capturePhoto: "photo.capture"
        case .startDisplay: "display.start"
        case .stopDisplay: "display.stop"
        case .showView: "view.show"
        case .clearDisplay: "view.clear"
        case .stopPlayback: "playback.stop"
        }
    }

    var fields: [String: LinkJSON] {
        switch self {
        case .register(let app): ["app": app.json]
        case .cancelRegistration, .unregister: [:]
        case .openedURL(let url): ["url": .string(url)]
        case .answerRegistrationRequest(let request, let accepted):
            ["request": .id(request), "accepted": .bool(accepted)]
        case .checkPermission(let permission, let request), .requestPermission(let permission, let request):
            ["permission": .string(permission.rawValue), "request": .id(request)]
        case .openUpdate(let update, let request): ["update": .string(update.rawValue), "request": .id(request)]
        case .openSession(let session, let device, let takesOver):
            ["session": .id(session), "device": .string(device), "takesOver": .bool(takesOver)]
        case .closeSession(let session), .startDisplay(let session), .stopDisplay(let session),
            .stopPlayback(let session):
            ["session": .id(session)]
        case .startStream(let session, let stream, let request):
            ["session": .id(session), "stream": .id(stream)].merging(request.fields) { own, _ in own }
        case .stopStream(let session, let stream), .requestKeyFrame(let session, let stream):
            ["session": .id(session), "stream": .id(stream)]
        case .holdStream(let session, let stream, let held):
            ["session": .id(session), "stream": .id(stream), "held": .bool(held)]
        case .capturePhoto(let session, let request, let format):
            ["session": .id(session), "request": .id(request), "format": .string(format.rawValue)]
        case .showView(let session, let request, tree: _), .clearDisplay(let session, let request):
            ["session": .id(session), "request": .id(request)]
        }
    }

    var payload: Data { if case .showView(_, _, let tree) = self { tree } else { Data() } }

    /// Nil for a kind that is no command.
    init?(kind: String, _ fields: LinkFields) throws {
        guard let read = Self.readers[kind] else { return nil }
        self = try read(fields)
    }

    private static let readers: [String: @Sendable (LinkFields) throws -> LinkCommand] = [
        "register": { .register(try LinkApp($0.object("app"))) },
        "register.cancel": { _ in .cancelRegistration },
        "unregister": { _ in .unregister },
        "url.opened": { .openedURL(try $0.text("url")) },
        "registration.answer": {
            .answerRegistrationRequest(try $0.identifier("request"), accepted: try $0.flag("accepted"))
        },
        "permission.check": { .checkPermission(try $0.choice("permission"), try $0.identifier("request")) },
        "permission.request": { .requestPermission(try $0.choice("permission"), try $0.identifier("request")) },
        "update.open": { .openUpdate(try $0.choice("update"), try $0.identifier("request")) },
        "session.open": {
            .openSession(
                try $0.identifier("session"), device: try $0.text("device"), takesOver: try $0.flag("takesOver"))
        },
        "session.close": { .closeSession(try $0.identifier("session")) },
        "stream.start": {
            .startStream(try $0.identifier("session"), try $0.identifier("stream"), try LinkStreamRequest($0))
        },
        "stream.stop": { .stopStream(try $0.identifier("session"), try $0.identifier("stream")) },
        "stream.keyFrame": { .requestKeyFrame(try $0.identifier("session"), try $0.identifier("stream")) },
        "stream.hold": {
            .holdStream(try $0.identifier("session"), try $0.identifier("stream"), held: try $0.flag("held"))
        },
        "photo.capture": {
            .capturePhoto(try $0.identifier("session"), try $0.identifier("request"), try $0.choice("format"))
        },
        "display.start": { .startDisplay(try $0.identifier("session")) },
        "display.stop": { .stopDisplay(try $0.identifier("session")) },
        "view.show": {
            .showView(try $0.identifier("session"), try $0.identifier("request"), tree: $0.payload)
        },
        "view.clear": { .clearDisplay(try $0.identifier("session"), try $0.identifier("request")) },
        "playback.stop": { .stopPlayback(try $0.identifier("session")) },
    ]
}

extension LinkStreamRequest {
    fileprivate var fields: [String: LinkJSON] {
        [
            "coding": .string(coding.rawValue), "width": .integer(Int64(width)), "height": .integer(Int64(height)),
            "framesPerSecond": .integer(Int64(framesPerSecond)), "audio": .bool(hasAudio),
        ]
    }

    fileprivate init(_ fields: LinkFields) throws {
        self.init(
            coding: try fields.choice("coding"), width: try fields.integer("width", in: 1...LinkLimits.side),
            height: try fields.integer("height", in: 1...LinkLimits.side),
            framesPerSecond: try fields.integer("framesPerSecond", in: 1...240),
            hasAudio: try fields.flag("audio", default: false))
    }
}

extension LinkJSON {
    /// An identifier or a time.
    static func id(_ value: UInt64) -> LinkJSON { .integer(Int64(clamping: value)) }
}
