import Dispatch
import Foundation
import MWDATCore
import Synchronization
import TestLink
import Testing

struct SessionCapabilityTests {
    private let link = TestLink()
    private let clock = ManualTimekeeper()
    private let hub: WearablesHub
    private let session: DeviceSession

    init() throws {
        hub = .test(link, timekeeper: clock)
        session = try hub.createSession(deviceSelector: SpecificDeviceSelector(device: "glasses-1"))
        try session.start()
        hub.settle()
    }

    private func frame(_ number: UInt64, isKey: Bool = true) -> LinkEvent {
        .frame(
            session.linkSession, 1,
            LinkFrame(coding: .hvc1, width: 8, height: 8, time: number, isKeyFrame: isKey, bytes: Data()))
    }

    @Test func eachKindHearsItsOwnEventsInOrder() throws {
        let (camera, display) = (TestCapability(.camera), TestCapability(.display))
        try session.attach(camera)
        try session.attach(display)
        let id = session.linkSession
        let events: [LinkEvent] = [
            .streamStarted(id, 1), .displayStarted(id), frame(1), .viewTapped(id, element: "b"), .streamPaused(id, 1),
            .photoFailed(id, 4, Refusal(.resources, "full", isRetryable: true)), .playback(id, .ended),
        ]
        for event in events { link.deliver(event) }
        hub.settle()
        let delivered = events.map(TestCapability.Call.delivered)
        #expect(camera.calls == [delivered[0], delivered[2], delivered[4], delivered[5]])
        #expect(display.calls == [delivered[1], delivered[3], delivered[6]])
    }

    @Test func aKindThatIsThereAlreadyIsRefusedUntilItHasLeft() throws {
        let (first, second) = (TestCapability(.camera), TestCapability(.camera))
        try session.attach(first)
        #expect(throws: DeviceSessionError.capabilityAlreadyActive) { try session.attach(second) }
        session.detach(second)
        #expect(throws: DeviceSessionError.capabilityAlreadyActive) { try session.attach(second) }
        session.detach(first)
        try session.attach(second)
    }

    @Test func aPartThatDoesNotLeaveIsWaitedForOneSecond() throws {
        let camera = TestCapability(.camera)
        camera.stopsByItself = false
        try session.attach(camera)
        session.stop()
        clock.advance(by: .milliseconds(999))
        hub.settle()
        #expect(session.state == .stopping)
        clock.advance(by: .milliseconds(1))
        hub.settle()
        #expect(session.state == .stopped)
        session.detach(camera)
    }

    @Test func glassesThatDoNotLetGoAreWaitedForTwoSeconds() throws {
        link.ignore { if case .closeSession = $0 { true } else { false } }
        session.stop()
        clock.advance(by: .milliseconds(1999))
        #expect(session.state == .stopping)
        clock.advance(by: .milliseconds(1))
        #expect(session.state == .stopped)
    }

    @Test func aPartIsKeptAliveUntilItLeaves() throws {
        var camera: TestCapability? = TestCapability(.camera)
        weak let kept = camera
        kept?.session = session
        try session.attach(try #require(camera))
        camera = nil
        #expect(kept != nil)
        session.stop()
        hub.settle()
        #expect(session.state == .stopped)
        #expect(kept == nil)
    }

    @Test func aSlowCameraLosesFramesUpToTheNextThatCanBeDecodedAlone() throws {
        let camera = TestCapability(.camera)
        try session.attach(camera)
        let gate = DispatchSemaphore(value: 0)
        hub.work.async { gate.wait() }
        for number in 0..<40 { link.deliver(frame(UInt64(number), isKey: number == 0)) }
        gate.signal()
        hub.settle()
        link.deliver(frame(40, isKey: false))
        link.deliver(frame(41, isKey: true))
        hub.settle()
        let numbers: [UInt64] = Array(0..<30) + [41]
        let expected = numbers.map { TestCapability.Call.delivered(frame($0, isKey: $0 == 0 || $0 == 41)) }
        #expect(camera.calls == expected)
    }

    @Test func aPartIsToldThatTheAppWentToTheBackgroundAndCameBack() throws {
        let camera = TestCapability(.camera)
        try session.attach(camera)
        for isInBackground in [true, true, false] { hub.setAppInBackground(isInBackground) }
        hub.settle()
        #expect(camera.calls == [.background(true), .background(false)])
    }

    @available(*, deprecated) @Test func aPartThatIsRemovedByTheCallsOfVersion06IsToldToEnd() throws {
        let part = LegacyPart()
        #expect(throws: DeviceSessionError.capabilityNotFound) { try session.removeCapability(part) }
        try session.addCapability(part)
        #expect(throws: DeviceSessionError.capabilityAlreadyActive) { try session.addCapability(part) }
        try session.removeCapability(part)
        hub.settle()
        #expect(part.capabilityState == .stopped)
        session.stop()
        clock.advance(by: .seconds(1))
        hub.settle()
        #expect(throws: DeviceSessionError.sessionAlreadyStopped) { try session.removeCapability(part) }
    }

    @Test func commandsOfASessionThatIsOverAreNotSent() {
        session.stop()
        hub.settle()
        let commands = link.commands
        session.send(.startDisplay(session.linkSession))
        hub.settle()
        #expect(link.commands == commands)
    }

    @Test func aSessionThatTheGlassesOpenTooLateIsClosed() throws {
        session.stop()
        hub.settle()
        link.deliver(.sessionStarted(session.linkSession))
        hub.settle()
        #expect(link.commands.filter { $0 == .closeSession(session.linkSession) }.count == 2)
    }
}

/// A part as the versions 0.6 and 0.7 knew them.
@available(*, deprecated) private final class LegacyPart: Capability, SessionCapability {
    private let hasEnded = Mutex(false)

    var kind: CapabilityKind { .camera }
    var capabilityState: CapabilityState { hasEnded.withLock { $0 } ? .stopped : .active }

    func sessionDelivered(_ event: LinkEvent) {}
    func sessionPaused() {}
    func sessionResumed() {}
    func sessionEnding(_ reason: Refusal?) { hasEnded.withLock { $0 = true } }
}
