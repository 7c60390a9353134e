import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct SessionFlowTests {
    @Test func startEntersDormantWithoutOpeningAConnection() {
        var session = SessionHarness()
        let start = session.ask(.start)
        #expect(start.actions == [.enter(.dormant), .finish(start.id, .succeeded)])
    }

    @Test func wakeIsDoneWhenTheProviderAcceptedTheSessionAndTheMicrophoneIsOpen() {
        var session = SessionHarness { $0.hasWakeHook = true }
        session.ask(.start)
        let wake = session.ask(.wake)
        let id = session.connection
        #expect(
            wake.actions == [
                .enter(.activating), .connection(.open(id)),
                .timer(.schedule(.connectionSetup(id), at: session.now.advanced(by: .milliseconds(9_700)))),
            ])
        let opened = session.feed(.connectionOpened(id))
        guard case .send(.updateSession, id)? = opened.first, opened.count == 1 else {
            Issue.record("expected one session.update, got \(opened)")
            return
        }
        let accepted = session.server(.sessionUpdated(ServerSessionFacts(model: "m", voice: "v")))
        #expect(
            accepted == [
                .timer(.cancel(.connectionSetup(id))),
                .timer(.schedule(.connectionGood(id), at: session.now.advanced(by: .seconds(5)))),
                .enter(.active),
                .notify(.sessionStarted(provider: "embedded", model: "m", voice: "v")),
                .microphone(.open), .microphone(.startUplink(id)),
                .finish(wake.id, .succeeded),
                .hook(.run(.onWake)),
                .timer(.schedule(.silence, at: session.now.advanced(by: .seconds(60)))),
            ])
    }

    @Test func aSpokenTurnIsHeardBetweenOneStartAndOneFinish() {
        var session = SessionHarness()
        session.wakeUp()
        session.userSays("what time is it", item: "u1")
        session.speakAnswer("r1", item: "a1", words: "It is noon.", milliseconds: 1000)
        let played = session.playAll(segment("r1", "a1"), during: .seconds(1))
        #expect(played.events == [.assistantAudioStarted, .assistantAudioFinished])
        #expect(
            session.log.events == [
                .sessionStarted(provider: "embedded", model: nil, voice: nil),
                .userSpoke(transcript: "what time is it"), .assistantSpoke(transcript: "It is noon."),
                .assistantAudioStarted, .assistantAudioFinished,
            ])
        #expect(
            session.machine.turns == [
                .userText(text: "what time is it", timestampMs: 1000),
                .assistantText(text: "It is noon.", timestampMs: 1000),
            ])
    }

    @Test func aToolRoundTripIsOneAudibleTurn() {
        var session = SessionHarness { $0.tools = [ToolFacts(name: "get_time", schema: [:])] }
        session.wakeUp()
        session.userSays("what time is it", item: "u1")
        session.speakAnswer("r1", item: "a1", words: "Let me look.", milliseconds: 300)
        session.beginAnswer("r2")
        session.call("c1", "get_time", "", in: "r2")
        session.server(.answerDone(responseID: "r2", status: .completed))
        let preamble = session.playAll(segment("r1", "a1"), during: .milliseconds(300))
        #expect(preamble.events == [.assistantAudioStarted])
        let returned = session.feed(.toolReturned(callID: "c1", output: "noon", isError: false))
        #expect(returned.outputs.map(\.output) == ["noon"])
        #expect(returned.requests.count == 1)
        session.grantRequest("r3")
        session.server(.answerItemAdded(responseID: "r3", itemID: "a3", kind: .assistantMessage))
        session.audio(segment("r3", "a3"), milliseconds: 500)
        session.server(.answerAudioDone(segment("r3", "a3")))
        session.server(.answerDone(responseID: "r3", status: .completed))
        #expect(session.playAll(segment("r3", "a3"), during: .milliseconds(500)).events == [.assistantAudioFinished])
    }

    @Test func stopClosesTheMicrophoneFirstAndEndsWithTheConnection() {
        var session = SessionHarness()
        session.wakeUp()
        let id = session.connection
        let stop = session.ask(.stop)
        #expect(stop.actions.prefix(3) == [.microphone(.stopUplink), .microphone(.close), .enter(.stopping)])
        #expect(stop.actions.contains(.connection(.close(id))))
        let closed = session.feed(
            .connectionClosed(id, ConnectionClosure(code: "closed", message: "closed", closeCode: 1000)))
        #expect(
            closed.filter { if case .timer = $0 { false } else { true } } == [
                .enter(.stopped), .releaseSlot, .notify(.sessionEnded(reason: .user, message: nil)),
                .finish(stop.id, .succeeded),
            ])
    }

    @Test func stopIsDoneInTimeWhenTheServerNeverCloses() {
        var session = SessionHarness()
        session.wakeUp()
        let stop = session.ask(.stop)
        let actions = session.advance(.milliseconds(2500))
        #expect(actions.finished[stop.id] == [.succeeded])
        #expect(session.machine.state == .stopped)
    }
}
