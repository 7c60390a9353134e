import Foundation
import MWDATCore
import TestLink
import Testing

@testable import MWDATCamera

@Suite struct FrameDeliveryTests {
    private let rig = CameraRig()

    @Test func theFirstPictureComesAfterTheStateEvenWhenAListenerOfTheStateIsSlow() async throws {
        let (_, camera) = try rig.camera()
        let events = Log<String>()
        let gate = DispatchSemaphore(value: 0)
        let tokens: [any AnyListenerToken] = [
            camera.stream.statePublisher.listen { state in
                if state == .streaming { gate.wait() }
                events.append("\(state)")
            },
            camera.stream.videoFramePublisher.listen { _ in events.append("picture") },
        ]
        camera.stream.start()
        rig.hub.settle()
        let run = rig.run
        for number in 0..<10 {
            rig.link.deliver(.frame(rig.link.openedSession ?? 0, run, .picture(time: UInt64(number))))
            rig.hub.work.sync {}
        }
        #expect(events.all == ["waitingForDevice", "starting"])
        gate.signal()
        try await eventually("the newest pictures come") { events.all.count { $0 == "picture" } == 4 }
        #expect(events.all.prefix(4) == ["waitingForDevice", "starting", "streaming", "picture"])
        #expect(camera.stream.statistics.dropped == 6)
        withExtendedLifetime(tokens) {}
    }

    @Test func aCancelledListenerIsNotCalledAnyMore() async throws {
        let (_, camera) = try rig.streamingCamera()
        let (kept, cancelled) = (Log<VideoFrame>(), Log<VideoFrame>())
        let tokens = [
            camera.stream.videoFramePublisher.listen { kept.append($0) },
            camera.stream.videoFramePublisher.listen { cancelled.append($0) },
        ]
        await tokens[1].cancel()
        for number in 1...3 { rig.send(.picture(time: UInt64(number))) }
        try await eventually("the other listener goes on") { kept.all.count == 3 }
        #expect(cancelled.all.isEmpty)
        await tokens[0].cancel()
    }

    @Test func aReaderOfPicturesGetsTheNewestAndEndsItself() async throws {
        let (_, camera) = try rig.streamingCamera()
        let (unread, seen) = (camera.stream.videoFramePublisher.stream, Log<VideoFrame>())
        let token = camera.stream.videoFramePublisher.listen { seen.append($0) }
        for number in 1...20 {
            rig.send(.picture(time: UInt64(number)))
            try await eventually("the picture comes") { seen.all.count == number }
        }
        var times: [CMTime] = []
        for await frame in unread {
            times.append(frame.sampleBuffer.presentationTimeStamp)
            if frame.sampleBuffer.presentationTimeStamp == seen.all.last?.sampleBuffer.presentationTimeStamp { break }
        }
        // Four that the stream keeps, four that wait for it, one in between.
        #expect(times.count <= 9)
        withExtendedLifetime(token) {}
    }

    @Test func aSlowListenerOfCodedPicturesGoesOnWithAKeyFrameThatIsAskedFor() async throws {
        let (_, camera) = try rig.streamingCamera(
            StreamConfiguration(videoCodec: .hvc1, resolution: .low, frameRate: 30))
        let gate = DispatchSemaphore(value: 0)
        let frames = Log<VideoFrame>()
        let token = camera.stream.videoFramePublisher.listen { frame in
            frames.append(frame)
            gate.wait()
        }
        for number in 1...40 { rig.send(.coded(time: UInt64(number), isKeyFrame: false)) }
        #expect(rig.cameraCommands == ["start", "key frame"])
        rig.send(.coded(time: 41))
        for _ in 0..<100 { gate.signal() }
        try await eventually("the key frame comes") { frames.all.last?.sampleBuffer.isKeyFrame == true }
        #expect(frames.all.count == 2)
        #expect(camera.stream.statistics.dropped == 39)
        withExtendedLifetime(token) {}
    }

    @Test func aListenerMayCallAnythingOfTheStream() async throws {
        let (_, camera) = try rig.camera()
        let stream = camera.stream
        let seen = Log<StreamState>()
        let tokens: [any AnyListenerToken] = [
            stream.videoFramePublisher.listen { _ in
                stream.capturePhoto(format: .jpeg)
                stream.stop()
            },
            stream.statePublisher.listen { state in
                seen.append(stream.state)
                if state == .stopped { camera.stop() }
            },
        ]
        stream.start()
        rig.hub.settle()
        rig.send(.picture())
        await camera.waitUntilStopped()
        #expect(stream.state == .stopped)
        #expect(!seen.all.isEmpty)
        withExtendedLifetime(tokens) {}
    }
}
