import Foundation
import MWDATCore
import TestLink
import Testing

@testable import MWDATCamera

/// What the field has reported of streams, each as a test of what is right.
@Suite struct StreamReportTests {
    private let rig = CameraRig()

    @Test(
        "Report 1: a stream that the glasses end right after its start tells a typed error with its cause before stopped"
    )
    func report1() throws {
        let (_, camera) = try rig.streamingCamera()
        let events = Log<String>()
        let tokens = [
            camera.stream.errorPublisher.listen { events.append("\($0)") },
            camera.stream.failurePublisher.listen { events.append($0.reason.check.rawValue) },
            camera.stream.statePublisher.listen { events.append("\($0)") },
        ]
        rig.say { .streamEnded($0, rig.run, .test(.occupied)) }
        #expect(events.all == ["occupied", "internalError", "stopping", "stopped"])
        #expect(camera.state == .started)
        try rig.begin(camera.stream)
        withExtendedLifetime(tokens) {}
    }

    @Test("Report 4: only the configured form is delivered, and a raw stream pauses while the app is in the background")
    func report4() async throws {
        let (_, camera) = try rig.streamingCamera()
        let frames = Log<VideoFrame>()
        let token = camera.stream.videoFramePublisher.listen { frames.append($0) }
        rig.send(.coded(time: 1))
        rig.send(.picture(time: 2))
        try await eventually("the picture in the configured form comes") { !frames.all.isEmpty }
        #expect(frames.all.allSatisfy { $0.sampleBuffer.imageBuffer != nil })
        #expect(camera.stream.statistics.discarded == 1)
        rig.hub.setAppInBackground(true)
        rig.hub.settle()
        #expect(camera.stream.state == .paused)
        rig.send(.coded(time: 3))
        rig.send(.picture(time: 4))
        rig.hub.setAppInBackground(false)
        rig.hub.settle()
        rig.send(.picture(time: 5))
        #expect(camera.stream.state == .streaming)
        try await eventually("the picture after the background comes") { frames.all.count >= 2 }
        #expect(frames.all.count == 2)
        #expect(rig.cameraCommands == ["start", "hold", "go on"])
        withExtendedLifetime(token) {}
    }

    @Test(
        "Report 6: glasses whose memory is full end the stream with an error, told or silent, and it can be restarted",
        arguments: [true, false])
    func report6(isTold: Bool) throws {
        let (_, camera) = try rig.streamingCamera()
        let errors = Log<StreamError>()
        let token = camera.stream.errorPublisher.listen { errors.append($0) }
        if isTold { rig.say { .streamEnded($0, rig.run, .test(.resources)) } } else { rig.wait(.seconds(11)) }
        #expect(errors.all == [.videoStreamingError])
        #expect(camera.stream.state == .stopped)
        #expect(camera.stream.endReason?.check == (isTold ? .resources : .media))
        try rig.begin(camera.stream)
        withExtendedLifetime(token) {}
    }

    @Test(
        "Report 11: a stream that never shows a picture ends with an error, and its camera is released before it is asked for again"
    )
    func report11() throws {
        rig.link.ignore { if case .stopStream = $0 { true } else { false } }
        let (_, camera) = try rig.camera()
        camera.stream.start()
        rig.wait(.seconds(13))
        #expect(camera.stream.state == .stopped)
        #expect(camera.stream.endReason?.check == .timeout)
        #expect(rig.cameraCommands == ["start", "stop"])
        let first = rig.run
        try rig.begin(camera.stream)
        #expect(rig.cameraCommands == ["start", "stop", "stop", "start"])
        let stops = rig.link.commands.compactMap { if case .stopStream(_, let run) = $0 { run } else { nil } }
        #expect(stops == [first, first])
    }

    @Test("Report 20: an error's flag and its text agree with the state", arguments: StreamError.everyCase)
    func report20(error: StreamError) throws {
        let (_, camera) = try rig.streamingCamera(
            StreamConfiguration(videoCodec: .raw, resolution: .low, frameRate: 30, audioCodec: .pcm))
        let errors = Log<StreamError>()
        let token = camera.stream.errorPublisher.listen { errors.append($0) }
        try provoke(error, camera.stream)
        #expect(errors.all == [error])
        #expect((camera.stream.state == .stopped) == error.isFatal)
        let saysItGoesOn = error.description.contains("go on") || error.description.contains("goes on")
        #expect(saysItGoesOn == !error.isFatal)
        withExtendedLifetime(token) {}
    }

    @Test("Report 23: a gap of 2 s is told, and so is its end")
    func report23() throws {
        let (_, camera) = try rig.streamingCamera()
        let deliveries = Log<StreamDelivery>()
        let token = camera.stream.deliveryPublisher.listen { deliveries.append($0) }
        #expect(camera.stream.delivery == .flowing)
        rig.wait(.milliseconds(2_100))
        #expect(camera.stream.delivery == .stalled)
        #expect(camera.stream.state == .streaming)
        rig.send(.picture(time: 2_100_000_000))
        #expect(deliveries.all == [.stalled, .flowing])
        withExtendedLifetime(token) {}
    }

    @Test("Report 25: streaming comes with the first picture, and what fails before that is told")
    func report25() throws {
        let (_, camera) = try rig.camera()
        let errors = Log<StreamError>()
        let token = camera.stream.errorPublisher.listen { errors.append($0) }
        camera.stream.start()
        rig.hub.settle()
        #expect(camera.stream.state == .starting)
        rig.say { .streamEnded($0, rig.run, .test(.link)) }
        #expect(errors.all == [.deviceNotConnected("glasses-1")])
        camera.stream.start()
        rig.hub.settle()
        #expect(camera.stream.state == .starting)
        rig.send(.picture())
        #expect(camera.stream.state == .streaming)
        withExtendedLifetime(token) {}
    }

    @Test("Report 29: a restart after a stall really resets: a new run, and as much patience as before")
    func report29() throws {
        let (_, camera) = try rig.streamingCamera()
        var runs: Set<LinkStream> = []
        for _ in 0..<3 {
            runs.insert(rig.run)
            rig.wait(.milliseconds(1_900))
            #expect(camera.stream.delivery == .flowing)
            rig.wait(.milliseconds(8_000))
            #expect(camera.stream.delivery == .stalled)
            rig.wait(.milliseconds(200))
            #expect(camera.stream.state == .stopped)
            try rig.begin(camera.stream)
        }
        #expect(runs.count == 3)
        #expect(rig.cameraCommands.count { $0 == "stop" } == 3)
    }

    @Test(
        "Report 30: a lost key frame is asked for, photos work meanwhile, and the pictures come back",
        arguments: VideoCodec.allCases)
    func report30(codec: VideoCodec) throws {
        let (_, camera) = try rig.streamingCamera(
            StreamConfiguration(videoCodec: codec, resolution: .medium, frameRate: 30))
        rig.wait(.milliseconds(2_100))
        #expect(rig.cameraCommands.last == "key frame")
        #expect(camera.stream.capturePhoto(format: .jpeg))
        rig.hub.settle()
        let file = try Data.jpeg(width: 12, height: 16)
        rig.say { .photo($0, rig.photo, LinkPhoto(format: .jpeg, bytes: file)) }
        rig.send(codec == .raw ? .picture(time: 9) : .coded(time: 9))
        #expect(camera.stream.delivery == .flowing)
    }

    @Test("Report 36: a slow listener misses the oldest pictures, is never far behind, and the misses are counted")
    func report36() async throws {
        let (_, camera) = try rig.streamingCamera()
        let gate = DispatchSemaphore(value: 0)
        let (slow, fast) = (Log<CMTime>(), Log<CMTime>())
        let tokens = [
            camera.stream.videoFramePublisher.listen {
                slow.append($0.sampleBuffer.presentationTimeStamp)
                gate.wait()
            },
            camera.stream.videoFramePublisher.listen { fast.append($0.sampleBuffer.presentationTimeStamp) },
        ]
        for number in 1...40 {
            rig.send(.picture(time: UInt64(number) * 33_000_000))
            try await eventually("the fast listener gets every picture") { fast.all.count == number }
        }
        try await eventually("the slow listener is busy") { slow.all.count == 1 }
        for _ in 0..<100 { gate.signal() }
        try await eventually("the slow listener gets the newest picture") { slow.all.last == fast.all.last }
        #expect(slow.all.count <= 6)
        #expect(camera.stream.statistics.dropped == 40 - slow.all.count)
        #expect(fast.all == fast.all.sorted() && Set(fast.all).count == 40)
        withExtendedLifetime(tokens) {}
    }

    /// Lets happen what ends in this error.
    private func provoke(_ error: StreamError, _ stream: MWDATCamera.Stream) throws {
        let checks: [StreamError: Refusal.Check] = [
            .internalError: .occupied, .deviceNotFound("glasses-1"): .notFound, .deviceNotConnected("glasses-1"): .link,
            .timeout: .timeout, .videoStreamingError: .media, .permissionDenied: .permission, .hingesClosed: .hinges,
            .thermalHot: .thermal, .peakPowerLimit: .peakPower, .batteryLow: .battery,
        ]
        switch error {
        case .photoCaptureFailed:
            #expect(stream.capturePhoto(format: .jpeg))
            rig.hub.settle()
            rig.say { .photoFailed($0, rig.photo, .test(.resources)) }
        case .audioStreamingError:
            rig.say { .audio($0, rig.run, LinkAudio(sampleRate: 16_000, time: 0, bytes: Data([1]))) }
        default:
            let check = try #require(checks[error])
            rig.say { .streamEnded($0, rig.run, .test(check)) }
        }
    }
}

extension StreamError {
    static let everyCase: [StreamError] = [
        .internalError, .deviceNotFound("glasses-1"), .deviceNotConnected("glasses-1"), .timeout, .videoStreamingError,
        .audioStreamingError, .permissionDenied, .hingesClosed, .thermalHot, .peakPowerLimit, .batteryLow,
        .photoCaptureFailed,
    ]
}
