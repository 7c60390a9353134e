import Foundation
import MWDATCore
import MWDATImage
import TestLink
import Testing

@testable import MWDATCamera

/// A session over a link whose other end is the test, with a clock that the test moves.
final class CameraRig: Sendable {
    let link = TestLink()
    let clock = ManualTimekeeper()
    let hub: WearablesHub

    init() {
        hub = .test(link, timekeeper: clock)
        hub.settle()
    }

    /// A started session.
    func session() throws -> DeviceSession {
        let session = try hub.createSession(
            deviceSelector: SpecificDeviceSelector(device: "glasses-1", wearables: hub))
        try session.start()
        hub.settle()
        try #require(session.state == .started)
        return session
    }

    /// A camera of a started session.
    func camera(_ config: StreamConfiguration = StreamConfiguration()) throws -> (DeviceSession, Camera) {
        let session = try session()
        return (session, try #require(try session.addCamera(config: config)))
    }

    /// A camera whose stream streams.
    func streamingCamera(
        _ config: StreamConfiguration = StreamConfiguration()
    ) throws -> (DeviceSession, Camera) {
        let (session, camera) = try camera(config)
        try begin(camera.stream)
        return (session, camera)
    }

    /// Starts a stream and sends its first picture.
    func begin(_ stream: MWDATCamera.Stream) throws {
        stream.start()
        hub.settle()
        switch stream.streamConfiguration.videoCodec {
        case .raw: send(.picture())
        case .hvc1: send(.coded())
        }
        try #require(stream.state == .streaming)
    }

    /// Waits until the glasses have been asked for the stream's pictures.
    func asked(_ stream: MWDATCamera.Stream) async throws {
        try await eventually("the glasses are asked") { stream.state == .starting }
        hub.settle()
    }

    /// The newest run that was asked for.
    var run: LinkStream {
        link.commands.reversed().lazy.compactMap { command -> LinkStream? in
            if case .startStream(_, let run, _) = command { run } else { nil }
        }.first ?? 0
    }

    /// The newest photo that was asked for.
    var photo: LinkRequest {
        link.commands.reversed().lazy.compactMap { command -> LinkRequest? in
            if case .capturePhoto(_, let request, _) = command { request } else { nil }
        }.first ?? 0
    }

    /// Lets the glasses say something of the newest session.
    func say(_ event: (LinkSession) -> LinkEvent) {
        link.deliver(event(link.openedSession ?? 0))
        hub.settle()
    }

    /// Sends a picture of the newest run.
    func send(_ frame: LinkFrame) { say { .frame($0, run, frame) } }

    /// Moves the clock on in steps that are shorter than any limit.
    func wait(_ time: Duration) {
        var left = time
        while left > .zero {
            clock.advance(by: min(left, .milliseconds(100)))
            hub.settle()
            left -= .milliseconds(100)
        }
    }

    /// The commands to a camera, without the numbers in them.
    var cameraCommands: [String] {
        link.commands.compactMap { command in
            switch command {
            case .startStream: "start"
            case .stopStream: "stop"
            case .requestKeyFrame: "key frame"
            case .holdStream(_, _, let isHeld): isHeld ? "hold" : "go on"
            case .capturePhoto: "photo"
            default: nil
            }
        }
    }
}

extension LinkFrame {
    /// A small decoded picture of one shade.
    static func picture(time: UInt64 = 0, luma: UInt8 = 81, blue: UInt8 = 90, red: UInt8 = 240) -> LinkFrame {
        LinkFrame(
            coding: .i420, width: 36, height: 64, time: time,
            bytes: Data(repeating: luma, count: 36 * 64) + Data(repeating: blue, count: 18 * 32)
                + Data(repeating: red, count: 18 * 32))
    }

    /// A small coded picture.
    static func coded(time: UInt64 = 0, isKeyFrame: Bool = true) -> LinkFrame {
        LinkFrame(
            coding: .hvc1, width: 36, height: 64, time: time, isKeyFrame: isKeyFrame,
            parameterSets: isKeyFrame ? .hevcRecord : Data(), bytes: Data([0, 0, 0, 2, 0x26, 1]))
    }
}

extension Data {
    /// An `hvcC` record with a set of each kind.
    static let hevcRecord: Data = {
        var record = Data(repeating: 0, count: 23)
        record[0] = 1
        record[21] = 0xFF
        record[22] = 3
        for (kind, set) in [(UInt8(32), [UInt8(0x40), 1]), (33, [0x42, 1, 1]), (34, [0x44, 1])] {
            record += [kind, 0, 1, 0, UInt8(set.count)] + set
        }
        return record
    }()

    /// A JPEG file of that size.
    static func jpeg(width: Int, height: Int) throws -> Data {
        let image = try #require(
            UIImage(width: width, height: height, rgba: [UInt8](repeating: 200, count: 4 * width * height)))
        return try #require(image.jpegData(compressionQuality: 0.5))
    }
}

/// Waits until `condition` holds, for work on threads that no queue tells the end of.
func eventually(_ what: Comment, _ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while !condition() {
        try #require(ContinuousClock.now < end, what)
        try await Task.sleep(for: .milliseconds(2))
    }
}
