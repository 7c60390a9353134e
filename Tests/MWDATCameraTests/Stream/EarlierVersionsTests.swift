import Foundation
import MWDATCore
import TestLink
import Testing

@testable import MWDATCamera

/// The names and shapes of versions 0.1 to 0.9, as apps wrote them.
@Suite struct EarlierVersionsTests {
    private let rig = CameraRig()

    @available(*, deprecated)
    @Test func aStreamWithASelectorOfItsOwnOpensASessionAndEndsItWithItsStop() async throws {
        let selector = AutoDeviceSelector(wearables: rig.hub)
        let config = StreamSessionConfig(
            videoCodec: VideoCodec.raw, resolution: StreamingResolution.low, frameRate: 24)
        let session = StreamSession(config, selector, hub: rig.hub)
        #expect(session.streamSessionConfig == config)
        let states = Log<StreamSessionState>()
        let token = session.statePublisher.listen { state in states.append(state) }
        session.start()
        try await rig.asked(session)
        rig.send(.picture())
        #expect(session.state == .streaming)
        session.capturePhoto(format: .jpeg)
        session.stop()
        await session.waitUntilStopped()
        rig.hub.settle()
        #expect(states.all == [.waitingForDevice, .starting, .streaming, .stopping, .stopped])
        try await eventually("the session is closed") {
            rig.link.commands.contains(.closeSession(rig.link.openedSession ?? 0))
        }
        withExtendedLifetime(token) {}
    }

    @available(*, deprecated)
    @Test func aStreamWithASelectorOfItsOwnWaitsForGlassesAndTellsWhy() async throws {
        rig.link.deliver(.devices([]))
        let session = StreamSession(.init(), AutoDeviceSelector(wearables: rig.hub), hub: rig.hub)
        session.start()
        #expect(session.state == .waitingForDevice)
        #expect(session.waitReason?.check == .link)
        rig.link.deliver(.devices([.test("glasses-2")]))
        try await rig.asked(session)
        #expect(session.waitReason == nil)
        rig.send(.picture())
        rig.say { .sessionEnded($0, .test(.hinges)) }
        #expect(session.state == .stopped)
        #expect(session.endReason?.check == .hinges)
    }

    @available(*, deprecated)
    @Test func aStreamWithASelectorOfItsOwnTriesAgainWhenASessionIsRefusedForNow() async throws {
        let sessions = Log<LinkSession>()
        rig.link.answer { command in
            guard case .openSession(let session, _, _) = command else { return nil }
            sessions.append(session)
            return sessions.all.count == 1 ? [.sessionEnded(session, .test(.occupied))] : nil
        }
        let session = StreamSession(.init(), AutoDeviceSelector(wearables: rig.hub), hub: rig.hub)
        session.start()
        try await eventually("the reason is told") { session.waitReason?.check == .occupied }
        try await eventually("the next try comes") {
            rig.wait(.seconds(1))
            return session.state == .starting
        }
        #expect(sessions.all.count == 2)
    }

    @available(*, deprecated)
    @Test func aStreamWithASelectorOfItsOwnEndsWhenASessionIsRefusedForGood() async throws {
        rig.link.answer { command in
            guard case .openSession(let session, _, _) = command else { return nil }
            return [.sessionEnded(session, Refusal(.trust, "Register again.", isRetryable: false))]
        }
        let session = StreamSession(.init(), AutoDeviceSelector(wearables: rig.hub), hub: rig.hub)
        session.start()
        try await eventually("the stream ends") { session.state == .stopped }
        #expect(session.endReason?.check == .trust)
    }

    @available(*, deprecated)
    @Test func startsAndStopsInQuickSuccessionEndInTheLastOne() async throws {
        let session = StreamSession(.init(), AutoDeviceSelector(wearables: rig.hub), hub: rig.hub)
        for _ in 0..<20 {
            session.start()
            session.stop()
        }
        session.start()
        try await eventually("the last start reaches the glasses") {
            rig.wait(.seconds(1))
            return session.state == .starting
        }
        rig.send(.picture())
        #expect(session.state == .streaming)
        session.stop()
        await session.waitUntilStopped()
    }

    @available(*, deprecated)
    @Test func aSelectorThatEndsEndsTheStreamThatWaitsForIt() async throws {
        struct EmptySelector: DeviceSelector {
            var activeDevice: DeviceIdentifier? { nil }
            func activeDeviceStream() -> AnyAsyncSequence<DeviceIdentifier?> {
                AsyncStream<DeviceIdentifier?> { $0.finish() }.eraseToAnySequence()
            }
        }
        let session = StreamSession(.init(), EmptySelector(), hub: rig.hub)
        session.start()
        try await eventually("the stream ends") { session.state == .stopped }
        #expect(session.endReason?.check == .link)
    }

    @available(*, deprecated)
    @Test func aStoppedSearchOpensNoSession() async throws {
        rig.link.deliver(.devices([]))
        let session = StreamSession(.init(), AutoDeviceSelector(wearables: rig.hub), hub: rig.hub)
        session.start()
        session.stop()
        #expect(session.state == .stopped)
        rig.link.deliver(.devices([.test()]))
        rig.hub.settle()
        #expect(rig.link.openedSession == nil)
    }

    @available(*, deprecated)
    @Test func aStreamWithoutACameraLeavesTheSessionWithItsStopAndComesBackWithItsStart() async throws {
        let session = try rig.session()
        let config = StreamConfiguration(videoCodec: .raw, resolution: .medium, frameRate: 24)
        let stream = try #require(try session.addStream(config: config))
        #expect(throws: DeviceSessionError.capabilityAlreadyActive) { try session.addStream(config: config) }
        stream.start()
        try await rig.asked(stream)
        rig.send(.picture())
        #expect(stream.state == .streaming)
        stream.stop()
        await stream.waitUntilStopped()
        let camera = try #require(try session.addCamera(config: config))
        stream.start()
        #expect(stream.state == .stopped)
        #expect(stream.endReason?.check == .occupied)
        camera.stop()
        await camera.waitUntilStopped()
        try rig.begin(stream)
        session.stop()
        await session.waitUntilStopped()
        #expect(stream.state == .stopped)
    }

    @available(*, deprecated)
    @Test func whatHappensToTheAppWhileAStreamIsNotInTheSessionIsKnownWhenItComesBack() async throws {
        let session = try rig.session()
        let stream = try #require(try session.addStream(config: .init()))
        try rig.begin(stream)
        rig.hub.setAppInBackground(true)
        rig.hub.settle()
        #expect(stream.state == .paused)
        stream.stop()
        await stream.waitUntilStopped()
        rig.hub.setAppInBackground(false)
        try rig.begin(stream)
        #expect(rig.cameraCommands == ["start", "hold", "stop", "start"])
    }

    @available(*, deprecated)
    @Test func theErrorsOfEarlierVersionsMatchThoseOfNow() {
        let error: StreamSessionError = .thermalHot
        var isMatched = false
        switch error {
        case .thermalCritical: isMatched = true
        default: break
        }
        #expect(isMatched)
        #expect(StreamError.thermalEmergency == .thermalHot)
        #expect(StreamError.peakPowerShutdown == .peakPowerLimit)
        #expect(StreamError.batteryCritical == .batteryLow)
        #expect(CaptureError.timeout.description != CaptureError.failure.description)
    }

    @available(*, deprecated)
    @Test func theConfigurationOfVersion06IsTaken() {
        let config = StreamSessionConfig(
            videoCodec: .hvc1, resolution: .high, frameRate: 30, skipAppLaunch: true)
        #expect(config == StreamConfiguration(videoCodec: .hvc1, resolution: .high, frameRate: 30))
    }
}
