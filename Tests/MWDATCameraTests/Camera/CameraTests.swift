import MWDATCore
import TestLink
import Testing

@testable import MWDATCamera

@Suite struct CameraTests {
    private let rig = CameraRig()

    @Test func theGlassesAreAskedForWhatIsConfigured() throws {
        let (_, camera) = try rig.camera(
            StreamConfiguration(videoCodec: .hvc1, resolution: .high, frameRate: 14, audioCodec: .pcm))
        camera.stream.start()
        rig.hub.settle()
        let request = LinkStreamRequest(coding: .hvc1, width: 720, height: 1280, framesPerSecond: 15, hasAudio: true)
        #expect(rig.link.commands.last == .startStream(rig.link.openedSession ?? 0, rig.run, request))
    }

    @Test func aCameraNeedsAStartedSession() throws {
        let selector = SpecificDeviceSelector(device: "glasses-1", wearables: rig.hub)
        let session = try rig.hub.createSession(deviceSelector: selector)
        #expect(throws: DeviceSessionError.sessionIdle) { try session.addCamera(config: .init()) }
        session.stop()
        rig.hub.settle()
        #expect(throws: DeviceSessionError.sessionAlreadyStopped) { try session.addCamera(config: .init()) }
    }

    @Test func aStreamThatEndsByItselfLeavesItsCameraAttached() throws {
        let (session, camera) = try rig.streamingCamera()
        rig.say { .streamEnded($0, rig.run, .test(.media)) }
        #expect(camera.stream.state == .stopped && camera.state == .started)
        #expect(throws: DeviceSessionError.capabilityAlreadyActive) { try session.addCamera(config: .init()) }
        try rig.begin(camera.stream)
    }

    @Test func aStoppedCamerasStreamCannotBeStartedAndTellsWhy() async throws {
        let (_, camera) = try rig.streamingCamera()
        camera.stop()
        await camera.waitUntilStopped()
        rig.hub.settle()
        let failures = Log<StreamFailure>()
        let token = camera.stream.failurePublisher.listen { failures.append($0) }
        camera.stream.start()
        rig.hub.settle()
        #expect(camera.stream.state == .stopped)
        #expect(failures.all.map(\.reason.check) == [.notFound])
        #expect(camera.stream.capturePhoto(format: .jpeg) == false)
        withExtendedLifetime(token) {}
    }

    @Test func theEndOfASessionIsTheReasonOfItsCamera() throws {
        let (_, camera) = try rig.streamingCamera()
        rig.say { .sessionEnded($0, .test(.battery)) }
        #expect(camera.state == .stopped)
        #expect(camera.endReason?.check == .battery)
        #expect(camera.stream.endReason?.check == .battery)
    }

    @Test func aCameraAddedToAPausedSessionStreamsWhenTheSessionGoesOn() throws {
        let session = try rig.session()
        rig.say { .sessionPaused($0) }
        let camera = try #require(try session.addCamera(config: .init()))
        rig.hub.settle()
        camera.stream.start()
        #expect(camera.stream.state == .waitingForDevice)
        rig.say { .sessionResumed($0) }
        rig.send(.picture())
        #expect(camera.stream.state == .streaming)
    }

    @Test func theStatesOfAStreamBeginWithTheCurrentOneAndEndWithTheCamera() async throws {
        let (_, camera) = try rig.streamingCamera()
        let states = camera.stream.stateStream()
        camera.stop()
        var seen: [StreamState] = []
        for await state in states { seen.append(state) }
        #expect(seen == [.streaming, .stopping, .stopped])
    }

    @Test(
        "Every pair of a camera's state and what happens",
        arguments: [
            (CameraStateMachine.Input.stopRequested, [CameraStateMachine.Action.publishState(.stopping), .stopStream]),
            (.sessionEnded(.test(.link)), [.publishState(.stopping), .endStream(.test(.link))]), (.streamReleased, []),
        ])
    func table(input: CameraStateMachine.Input, first: [CameraStateMachine.Action]) {
        var machine = CameraStateMachine()
        #expect(machine.apply(input) == first)
        guard machine.state == .stopping else { return }
        #expect(machine.apply(.stopRequested) == [])
        #expect(machine.apply(.sessionEnded(nil)) == [.endStream(nil)])
        #expect(machine.apply(.streamReleased) == [.detach, .publishState(.stopped)])
        for late in [CameraStateMachine.Input.stopRequested, .sessionEnded(nil), .streamReleased] {
            #expect(machine.apply(late) == [])
        }
    }
}
