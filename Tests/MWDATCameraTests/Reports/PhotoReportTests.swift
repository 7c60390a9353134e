import Foundation
import MWDATCore
import MWDATImage
import TestLink
import Testing

@testable import MWDATCamera

/// What the field has reported of photos, each as a test of what is right.
@Suite struct PhotoReportTests {
    private let rig = CameraRig()

    @Test(
        "Report 10: a photo's size does not follow the stream's, and the file comes whole",
        arguments: StreamingResolution.allCases)
    func report10(resolution: StreamingResolution) throws {
        let (_, camera) = try rig.streamingCamera(
            StreamConfiguration(videoCodec: .raw, resolution: resolution, frameRate: 15))
        let photos = Log<PhotoData>()
        let token = camera.stream.photoDataPublisher.listen { photos.append($0) }
        #expect(camera.stream.capturePhoto(format: .jpeg))
        rig.hub.settle()
        let file = try Data.jpeg(width: 1080, height: 1440)
        rig.say { .photo($0, rig.photo, LinkPhoto(format: .jpeg, bytes: file)) }
        #expect(photos.all == [PhotoData(data: file, format: .jpeg)])
        #expect(UIImage(data: file)?.size == CGSize(width: 1080, height: 1440))
        withExtendedLifetime(token) {}
    }

    @Test("Report 14: one call takes one photo and cleans up after itself")
    func report14() async throws {
        let file = try Data.jpeg(width: 12, height: 16)
        answerPictures()
        rig.link.answer { command in
            guard case .capturePhoto(let session, let request, .jpeg) = command else { return nil }
            return [.photo(session, request, LinkPhoto(format: .jpeg, bytes: file))]
        }
        let session = try rig.session()
        let photo = try await session.takePhoto()
        #expect(photo.data == file)
        #expect(rig.cameraCommands == ["start", "photo", "stop"])
        _ = try #require(try session.addCamera(config: StreamConfiguration()))
    }

    @Test("Report 14: the one call needs no session either, and ends the one that it opens")
    func report14Session() async throws {
        answerPictures()
        rig.link.answer { command in
            guard case .capturePhoto(let session, let request, _) = command else { return nil }
            return [.photo(session, request, LinkPhoto(format: .heic, bytes: Data([0, 0, 0, 8]) + Data("ftyp".utf8)))]
        }
        let selector = SpecificDeviceSelector(device: "glasses-1", wearables: rig.hub)
        for _ in 0..<2 {
            let photo = try await rig.hub.takePhoto(deviceSelector: selector, format: .heic)
            #expect(photo.format == .heic)
            #expect(rig.link.commands.last == rig.link.openedSession.map { .closeSession($0) })
        }
    }

    @Test("Report 14: the one call ends in time and cleans up, whatever stays away", arguments: ["picture", "photo"])
    func report14Limit(missing: String) async throws {
        if missing == "photo" { answerPictures() }
        let session = try rig.session()
        let photo = Task { try await session.takePhoto(within: .seconds(3)) }
        try await eventually("the camera is asked") {
            rig.cameraCommands.contains(missing == "photo" ? "photo" : "start")
        }
        rig.wait(.milliseconds(3_100))
        let outcome = await photo.result
        let error = #expect(throws: Refusal.self) { _ = try outcome.get() }
        #expect(error?.check == .timeout)
        rig.hub.settle()
        #expect(rig.cameraCommands.last == "stop")
        _ = try #require(try session.addCamera(config: StreamConfiguration()))
    }

    @Test("Report 14: a first photo that is lost is taken once more")
    func report14Again() async throws {
        let file = try Data.jpeg(width: 12, height: 16)
        let requests = Log<LinkRequest>()
        answerPictures()
        rig.link.answer { command in
            guard case .capturePhoto(let session, let request, _) = command else { return nil }
            requests.append(request)
            return requests.all.count == 1
                ? [.photoFailed(session, request, .test(.media))]
                : [.photo(session, request, LinkPhoto(format: .jpeg, bytes: file))]
        }
        let photo = try await rig.session().takePhoto()
        #expect(photo.data == file)
        #expect(requests.all.count == 2)
    }

    @Test(
        "Report 26: a photo that was accepted and does not come ends in photoCaptureFailed within 8 s, while pictures go on"
    )
    func report26() throws {
        let (_, camera) = try rig.streamingCamera()
        let failures = Log<StreamFailure>()
        let token = camera.stream.failurePublisher.listen { failures.append($0) }
        #expect(camera.stream.capturePhoto(format: .jpeg))
        #expect(!camera.stream.capturePhoto(format: .jpeg))
        for second in 1...8 {
            rig.wait(.seconds(1))
            rig.send(.picture(time: UInt64(second) * 1_000_000_000))
        }
        #expect(failures.all.map(\.error) == [.photoCaptureFailed])
        #expect(failures.all.map(\.reason.check) == [.timeout])
        #expect(camera.stream.state == .streaming)
        #expect(camera.stream.capturePhoto(format: .jpeg))
        withExtendedLifetime(token) {}
    }

    /// Lets the glasses send a picture as soon as a stream is started.
    private func answerPictures() {
        rig.link.answer { command in
            guard case .startStream(let session, let run, _) = command else { return nil }
            return [.streamStarted(session, run), .frame(session, run, .picture())]
        }
    }
}
