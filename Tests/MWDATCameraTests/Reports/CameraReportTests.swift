import Foundation
import MWDATCore
import TestLink
import Testing

@testable import MWDATCamera

/// What the field has reported of cameras' lives, each as a test of what is right.
@Suite struct CameraReportTests {
    private let rig = CameraRig()

    @Test("Report 35: a camera can be closed and opened again in one session, once its stop has finished")
    func report35() throws {
        rig.link.ignore { if case .stopStream = $0 { true } else { false } }
        let (session, camera) = try rig.streamingCamera()
        for _ in 0..<3 { camera.stop() }
        rig.hub.settle()
        #expect(camera.state == .stopping)
        #expect(throws: DeviceSessionError.capabilityAlreadyActive) { try session.addCamera(config: .init()) }
        rig.say { .streamEnded($0, rig.run, nil) }
        #expect(camera.state == .stopped)
        let second = try #require(try session.addCamera(config: .init()))
        try rig.begin(second.stream)
        #expect(rig.cameraCommands == ["start", "stop", "start"])
    }

    @Test("Report 35: whoever hears that the camera has stopped can add another one at once")
    func report35Listener() async throws {
        let (session, camera) = try rig.streamingCamera()
        let added = Log<Bool>()
        let token = camera.statePublisher.listen { state in
            guard state == .stopped else { return }
            do throws(DeviceSessionError) {
                added.append(try session.addCamera(config: .init()) != nil)
            } catch {
                added.append(false)
            }
        }
        camera.stop()
        await camera.waitUntilStopped()
        rig.hub.settle()
        #expect(added.all == [true])
        withExtendedLifetime(token) {}
    }

    @Test("Report 38: a camera that the app drops while it stops is stopped all the same, and its last state is told")
    func report38() throws {
        rig.link.ignore { if case .stopStream = $0 { true } else { false } }
        let states = Log<String>()
        var tokens: [any AnyListenerToken] = []
        let session = try rig.session()
        try { () throws in
            let camera = try #require(try session.addCamera(config: .init()))
            try rig.begin(camera.stream)
            tokens.append(camera.statePublisher.listen { states.append("camera \($0)") })
            tokens.append(camera.stream.statePublisher.listen { states.append("stream \($0)") })
            camera.stop()
        }()
        rig.hub.settle()
        rig.say { .streamEnded($0, rig.run, nil) }
        #expect(states.all == ["camera stopping", "stream stopping", "stream stopped", "camera stopped"])
        let second = try #require(try session.addCamera(config: .init()))
        try rig.begin(second.stream)
        withExtendedLifetime(tokens) {}
    }

    @Test("Report 38: a stopped camera that the app drops is gone")
    func report38Gone() throws {
        weak var driver: StreamDriver?
        try { () throws in
            let session = try rig.session()
            let camera = try CameraDriver(.init(), in: session)
            driver = camera.stream
            camera.stream.start()
            rig.hub.settle()
            #expect(driver != nil)
            camera.apply(.stopRequested)
            rig.hub.settle()
            #expect(camera.machine.state == .stopped)
        }()
        rig.hub.settle()
        #expect(driver == nil)
    }

    @Test(
        "Report 39: stopped is told last, whatever ends the camera",
        arguments: ["stop", "session stop", "fold", "loss"])
    func report39(cause: String) throws {
        let (session, camera) = try rig.streamingCamera()
        let (streamStates, cameraStates) = (Log<StreamState>(), Log<CameraState>())
        let tokens: [any AnyListenerToken] = [
            camera.stream.statePublisher.listen { streamStates.append($0) },
            camera.statePublisher.listen { cameraStates.append($0) },
        ]
        switch cause {
        case "stop": camera.stop()
        case "session stop": session.stop()
        case "fold": rig.say { .sessionEnded($0, .test(.hinges)) }
        default: rig.link.deliver(.unavailable(.test(.transport)))
        }
        rig.hub.settle()
        #expect(streamStates.all == [.stopping, .stopped])
        #expect(cameraStates.all == [.stopping, .stopped])
        withExtendedLifetime(tokens) {}
    }

    @Test("Report 39: a paused stream shows no picture and is not restarted by a start")
    func report39Paused() throws {
        let (session, camera) = try rig.streamingCamera()
        rig.say { .sessionPaused($0) }
        #expect(session.state == .paused)
        #expect(camera.stream.state == .paused)
        camera.stream.start()
        rig.send(.picture(time: 1))
        #expect(camera.stream.state == .paused)
        rig.say { .sessionResumed($0) }
        rig.send(.picture(time: 2))
        #expect(camera.stream.state == .streaming)
        #expect(rig.cameraCommands == ["start"])
    }
}
