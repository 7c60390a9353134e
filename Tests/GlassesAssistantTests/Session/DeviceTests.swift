import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct DeviceTests {
    private func speaking() -> SessionHarness {
        var session = SessionHarness { $0.tools = [ToolFacts(name: "work", schema: [:])] }
        session.wakeUp()
        session.beginAnswer("r1", item: "a1")
        session.audio(segment("r1", "a1"), milliseconds: 1000)
        session.feed(.playbackStarted(segment("r1", "a1")))
        return session
    }

    @Test func aLostDeviceCutsTheAnswerAndSendsNoSampleButLeavesCallsRunning() {
        var session = speaking()
        session.call("c1", "work", "{}", in: "r1")
        let lost = session.feed(.deviceLost(.dropped))
        #expect(lost.microphone == [.stopUplink, .close])
        #expect(lost.cancels == ["r1"])
        #expect(lost.flushes.count == 1)
        #expect(lost.events == [.assistantAudioFinished])
        #expect(lost.tools.isEmpty)
        #expect(lost.states.isEmpty)
    }

    @Test func aDeviceThatComesBackInTimeGoesOnWithoutGreetingAndIsToldTheResults() {
        var session = speaking()
        session.call("c1", "work", "{}", in: "r1")
        session.feed(.deviceLost(.dropped))
        session.server(.answerDone(responseID: "r1", status: .cancelled))
        #expect(session.feed(.toolReturned(callID: "c1", output: "ok", isError: false)).requests.isEmpty)
        session.advance(.milliseconds(19_999))
        let back = session.feed(.deviceReturned)
        #expect(back.microphone == [.open, .startUplink(session.connection)])
        #expect(back.requests.map(\.request.instructions) == [nil])
        session.advance(.seconds(1))
        #expect(session.machine.state == .active)
    }

    @Test func aDeviceThatStaysAwayPutsTheSessionToSleepWithOneEventEach() {
        var session = speaking()
        session.feed(.deviceLost(.dropped))
        session.advance(.seconds(20))
        #expect(session.machine.state == .sleeping)
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "closed")))
        session.advance(.seconds(100))
        #expect(session.machine.state == .dormant)
        #expect(session.log.events.count { $0 == .wentDormant } == 1)
        let errors = session.log.events.compactMap { if case .error(let kind, _) = $0 { kind } else { nil } }
        #expect(errors == ["device_lost"])
    }

    @Test(arguments: [DeviceLossReason.hingesClosed, .userRequested])
    func aDeviceThatWasPutAwayPutsTheSessionToSleepAtOnce(reason: DeviceLossReason) {
        var session = speaking()
        #expect(session.feed(.deviceLost(reason)).states == [.sleeping])
    }

    @Test func aClosedPrivacyGateEndsTheUtteranceAndAnOpenOneHearsAgain() {
        var session = SessionHarness()
        session.wakeUp()
        session.server(.speechStarted(itemID: "u1"))
        let closed = session.feed(.microphoneGateClosed)
        #expect(closed.prefix(2) == [.microphone(.stopUplink), .microphone(.close)])
        guard case .clearInput? = closed.commands.first, closed.commands.count == 1 else {
            Issue.record("expected one clear, got \(closed.commands)")
            return
        }
        #expect(session.server(.speechStopped(itemID: "u1")).isEmpty)
        #expect(session.ask(.say(text: "x")).actions.requests.count == 1)
        let opened = session.feed(.microphoneGateOpened)
        #expect(opened.microphone == [.open, .startUplink(session.connection)])
    }

    @Test func aSessionThatWakesBehindAClosedGateOpensNoMicrophone() {
        var session = SessionHarness()
        session.feed(.microphoneGateClosed)
        session.wakeUp()
        #expect(session.machine.state == .active)
        #expect(session.log.microphone.isEmpty)
    }

    /// A session whose microphone has just failed.
    private func deaf(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHarness {
        var session = SessionHarness(configure)
        session.wakeUp()
        session.feed(Self.busy)
        return session
    }

    private static let busy = SessionInput.microphoneFailed(code: "hardware_unavailable", message: "It is in use.")
    private static let waits = [1000, 2000, 4000, 8000, 8000, 8000]

    @Test func aMicrophoneThatStaysBusyIsClosedAndOpenedAgainEverMoreSeldomAndToldOnce() {
        var session = deaf { $0.silenceTimeout = nil }
        #expect(session.log.microphone.suffix(2) == [.stopUplink, .close])
        for wait in Self.waits {
            #expect(session.advance(.milliseconds(wait - 1)).microphone.isEmpty)
            let retried = session.advance(.milliseconds(1)).microphone
            #expect(retried == [.open, .startUplink(session.connection)])
            #expect(session.feed(Self.busy).microphone == [.stopUplink, .close])
        }
        let errors = session.log.events.filter { if case .error = $0 { true } else { false } }
        #expect(errors == [.error(kind: "hardware_unavailable", message: "It is in use.")])
    }

    @Test func aMicrophoneThatOpensAtARetryIsLeftAloneAndItsNextFailureIsToldAgain() {
        var session = deaf()
        session.advance(.seconds(1))
        #expect(session.advance(.seconds(20)).microphone.isEmpty)
        session.userSays("hello", item: "u1")
        #expect(session.feed(Self.busy).events == [.error(kind: "hardware_unavailable", message: "It is in use.")])
        #expect(session.advance(.seconds(1)).microphone == [.open, .startUplink(session.connection)])
    }

    @Test(arguments: [SessionInput.microphoneGateClosed, .deviceLost(.dropped), .deviceLost(.hingesClosed)])
    func noMicrophoneIsOpenedAgainWhileItMayNotBe(closing: SessionInput) {
        var session = deaf()
        session.feed(closing)
        #expect(session.advance(.seconds(15)).microphone.isEmpty)
    }

    @Test func theEndOfTheReasonOpensAMicrophoneAtOnceAndItsFailureBeginsANewSeries() {
        var session = deaf()
        session.feed(.microphoneGateClosed)
        #expect(session.feed(.microphoneGateOpened).microphone == [.open, .startUplink(session.connection)])
        #expect(session.feed(Self.busy).events.count == 1)
        #expect(session.advance(.seconds(1)).microphone == [.open, .startUplink(session.connection)])
    }

    @Test(arguments: [SessionOperation.sleep, .stop]) func noMicrophoneIsOpenedAgainAfterTheEnd(end: SessionOperation) {
        var session = deaf()
        session.ask(end)
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "closed")))
        #expect(session.advance(.seconds(60)).microphone.isEmpty)
    }

    @Test func aMicrophoneThatFailsWithoutAConnectionIsClosedAndOpensWithTheNextOne() {
        var session = SessionHarness()
        session.wakeUp()
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "dropped", message: "dropped")))
        let failed = session.feed(Self.busy)
        #expect(failed.microphone == [.close])
        #expect(failed.events.count == 1)
        session.advance(.milliseconds(250))
        #expect(session.advance(.seconds(2)).microphone.isEmpty)
        #expect(session.connect().microphone == [.open, .startUplink(session.connection)])
        #expect(session.advance(.seconds(20)).microphone.isEmpty)
    }

    @Test func aMicrophoneThatFailsIsToldAndOpenedAgainWithTheDevice() {
        var session = SessionHarness()
        session.wakeUp()
        let failed = session.feed(Self.busy)
        #expect(failed.events == [.error(kind: "hardware_unavailable", message: "It is in use.")])
        #expect(failed.microphone.first == .stopUplink)
        session.feed(.deviceLost(.dropped))
        #expect(session.feed(.deviceReturned).microphone == [.open, .startUplink(session.connection)])
    }
}
