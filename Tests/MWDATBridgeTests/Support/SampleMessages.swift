import Foundation
import MWDATCore

/// One message of every kind, and of the kinds with choices more than one.
enum SampleMessages {
    static let refusal = Refusal(.worn, "Put the glasses on. \"Now\"\n", isRetryable: true)
    static let device = LinkDevice(
        identifier: "AB-1", name: "Brille é 😀", type: .metaRayBanDisplay, firmware: "127.0",
        state: DeviceState(
            linkState: .connected, compatibility: .compatible, batteryLevel: 81, chargingState: .charging,
            donState: .donned, hingeState: .open, thermalLevel: .light))
    static let rawFrame = LinkFrame(
        coding: .i420, width: 4, height: 2, time: 33_000_000, bytes: Data((0..<12).map { UInt8($0) }))
    static let codedFrame = LinkFrame(
        coding: .hvc1, width: 720, height: 1280, time: 1, isKeyFrame: true, parameterSets: Data([1, 2, 3]),
        bytes: Data([9, 8, 7, 6]))

    static var all: [LinkMessage] {
        commands.map(LinkMessage.command) + events.map(LinkMessage.event) + controls.map(LinkMessage.control)
    }

    static let commands: [LinkCommand] = [
        .register(LinkApp(identifier: "org.example.app", name: "App", version: "1.2", callbackScheme: "app://")),
        .cancelRegistration, .unregister, .openedURL("app://?metaWearablesAction=register"),
        .answerRegistrationRequest(7, accepted: true), .checkPermission(.camera, 8),
        .requestPermission(.microphone, 9), .openUpdate(.firmware, 10), .openUpdate(.glassesApp, 11),
        .openSession(12, device: "AB-1", takesOver: false), .closeSession(12),
        .startStream(
            12, 13,
            LinkStreamRequest(coding: .hvc1, width: 720, height: 1280, framesPerSecond: 30, hasAudio: true)),
        .stopStream(12, 13), .requestKeyFrame(12, 13), .holdStream(12, 13, held: true),
        .capturePhoto(12, 14, .jpeg), .capturePhoto(12, 15, .heic), .startDisplay(12), .stopDisplay(12),
        .showView(12, 16, tree: Data("{\"text\":\"x\"}".utf8)), .clearDisplay(12, 17), .stopPlayback(12),
    ]

    static let events: [LinkEvent] = [
        .available(LinkPeer(name: "mock device kit", version: "1")), .unavailable(refusal),
        .registration(.registered, nil), .registration(.available, refusal), .registration(.unavailable, nil),
        .registration(.registering, nil), .registrationRequested(1, appName: "App"), .devices([]),
        .devices([device, LinkDevice(identifier: "", name: "", type: .unknown, state: DeviceState())]),
        .device(device), .permission(2, .granted), .permission(3, .denied), .permissionFailed(4, refusal),
        .navigation(5, nil), .navigation(6, refusal), .sessionStarted(7), .sessionPaused(7), .sessionResumed(7),
        .sessionWarned(7, refusal), .sessionEnded(7, nil), .sessionEnded(8, refusal), .streamStarted(7, 9),
        .streamPaused(7, 9), .streamResumed(7, 9), .streamEnded(7, 9, nil), .streamEnded(7, 9, refusal),
        .frame(7, 9, rawFrame), .frame(7, 9, codedFrame),
        .audio(7, 9, LinkAudio(sampleRate: 16_000, time: 5, bytes: Data([0, 1, 2, 3]))),
        .photo(7, 10, LinkPhoto(format: .jpeg, bytes: Data(repeating: 0xAB, count: 5_000))),
        .photoFailed(7, 11, refusal), .displayStarted(7), .displayEnded(7, nil), .displayEnded(7, refusal),
        .viewShown(7, 12), .viewFailed(7, 13, refusal), .viewTapped(7, element: "button-1"),
        .playback(7, .started), .playback(7, .failed),
    ]

    static let controls: [LinkControl] = [
        .hello(LinkHello(versions: [1], name: "phone", version: "2")),
        .hello(LinkHello(versions: [1, 2], name: "phone", version: "2", peer: "p", nonce: "00ff", secret: .code)),
        .challenge(LinkChallenge(version: 1, name: "desk", host: "h", nonce: "aa", rounds: 100_000)),
        .challenge(LinkChallenge(version: 1, name: "desk", host: "h", nonce: "aa", rounds: nil)), .proof("0123"),
        .welcome(LinkWelcome(version: 1, name: "desk", proof: "ff", heartbeat: 5)),
        .refused(LinkRefused(.proof, "Wrong code.", retryAfter: 2_000)), .refused(LinkRefused(.noCode, "Ask.")),
        .ping, .pong, .credit(frames: 4), .bye(nil), .bye(refusal),
    ]
}
