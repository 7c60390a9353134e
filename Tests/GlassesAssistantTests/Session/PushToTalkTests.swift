import GlassesAssistant
import GlassesDomain
import Testing

private func pushing() -> SessionHarness {
    var session = SessionHarness { $0.turnTaking = .pushToTalk }
    session.wakeUp(interrupts: false, creates: false)
    return session
}

private let gone = ConnectionClosure(code: "gone", message: "gone", closeCode: 1006)

extension [SessionAction] {
    fileprivate var commits: [String] {
        commands.compactMap { if case .commitInput(let id) = $0 { id } else { nil } }
    }
    fileprivate var uplinks: Int { microphone.count { if case .startUplink = $0 { true } else { false } } }
}

@Suite struct PushToTalkTests {
    @Test func nothingIsSentOutsideATurnAndATurnIsAnsweredOnce() {
        var session = pushing()
        #expect(session.log.microphone == [.open])
        let begin = session.ask(.beginTurn)
        #expect(begin.actions.uplinks == 1)
        #expect(begin.actions.finished[begin.id] == [.succeeded])
        let end = session.ask(.endTurn)
        #expect(end.actions.microphone == [.stopUplink])
        #expect(end.actions.commits.count == 1)
        #expect(end.actions.finished.isEmpty, "the provider has not taken it")
        let taken = session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil))
        #expect(taken.finished[end.id] == [.succeeded])
        #expect(taken.requests.count == 1)
        #expect(session.advance(.seconds(20)).requests.isEmpty)
    }

    @Test func aTurnCutsTheAnswerThatIsHeard() {
        var session = pushing()
        session.beginAnswer("r1", item: "a1")
        session.audio(segment("r1", "a1"), milliseconds: 1_000)
        session.feed(.playbackStarted(segment("r1", "a1")))
        let begin = session.ask(.beginTurn).actions
        #expect(begin.flushes.count == 1)
        #expect(begin.cancels == ["r1"])
        #expect(begin.events == [.assistantAudioFinished])
    }

    @Test func aTurnThatIsTakenBackLeavesNothing() {
        var session = pushing()
        session.ask(.beginTurn)
        let back = session.ask(.cancelTurn).actions
        #expect(back.microphone.contains(.stopUplink))
        #expect(back.microphone.contains(.forgetUtterance(itemID: nil)))
        #expect(back.commands.count == 1)
        #expect(session.ask(.endTurn).actions.commits.isEmpty)
        #expect(session.advance(.seconds(20)).requests.isEmpty)
    }

    @Test func aTurnOfNoSoundFailsItsCallAndHoldsUpNothing() {
        var session = pushing()
        session.ask(.beginTurn)
        let end = session.ask(.endTurn)
        let refused = session.server(
            .errorReported(
                code: "input_audio_buffer_commit_empty", message: "empty", eventID: end.actions.commits.first))
        #expect(
            refused.finished[end.id] == [
                .failed(.providerError(code: "input_audio_buffer_commit_empty", message: "empty"))
            ])
        #expect(refused.events.isEmpty)
        #expect(session.ask(.sendText(text: "hello")).actions.createdItems.count == 1)
    }

    @Test func aProviderThatDoesNotTakeTheTurnFailsItsCallInTime() {
        var session = pushing()
        session.ask(.beginTurn)
        let end = session.ask(.endTurn)
        let outcomes = session.advance(.seconds(5)).finished[end.id] ?? []
        #expect(outcomes.count == 1 && outcomes != [.succeeded])
    }

    @Test func aTurnGoesOnOverALostConnection() {
        var session = pushing()
        session.ask(.beginTurn)
        session.feed(.connectionClosed(session.connection, gone))
        session.advance(.seconds(1))
        let back = session.connect(interrupts: false, creates: false)
        #expect(back.microphone.contains(.startUplink(session.connection, resending: true)))
        let end = session.ask(.endTurn)
        #expect(end.actions.commits.count == 1)
        #expect(session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil)).requests.count == 1)
    }

    @Test(arguments: [true, false])
    func aTurnThatEndsWithoutAConnectionIsReplayedAndAnswered(isCommitted: Bool) {
        var session = pushing()
        session.ask(.beginTurn)
        if isCommitted { session.ask(.endTurn) }
        let lost = session.feed(.connectionClosed(session.connection, gone))
        let end = isCommitted ? lost : session.ask(.endTurn).actions
        #expect(end.finished.values.flatMap { $0 } == [.succeeded])
        session.advance(.seconds(1))
        let back = session.connect(interrupts: false, creates: false)
        #expect(back.createdItems.count == 1)
        #expect(back.requests.count == 1)
    }

    @Test func aTurnThatEndsWhileTheHistoryIsReplayedFollowsIt() {
        var session = pushing()
        session.ask(.sendText(text: "hello"))
        session.ask(.beginTurn)
        session.feed(.connectionClosed(session.connection, gone))
        session.advance(.seconds(1))
        session.feed(.connectionOpened(session.connection))
        let replay = session.server(.sessionUpdated(ServerSessionFacts(createsResponse: false)))
        #expect(replay.createdItems.count == 1)
        session.ask(.endTurn)
        let ready = session.server(
            .itemAdded(itemID: replay.createdItems[0].id, previousItemID: nil, kind: .userMessage))
        guard case .userAudio? = ready.createdItems.first else {
            Issue.record("\(ready.createdItems)")
            return
        }
        #expect(ready.createdItems.count == 1)
        #expect(ready.requests.count == 1)
    }

    @Test func aTurnEndsByItselfAfter120Seconds() {
        var session = pushing()
        session.ask(.beginTurn)
        #expect(session.advance(.seconds(119)).commits.isEmpty)
        #expect(session.advance(.seconds(2)).commits.count == 1)
    }

    @Test func aClosedMicrophoneEndsTheTurnAndRefusesTheNext() {
        var session = pushing()
        session.ask(.beginTurn)
        let closed = session.feed(.microphoneGateClosed)
        #expect(closed.microphone.contains(.close))
        #expect(session.ask(.endTurn).actions.commits.isEmpty)
        let refused = session.ask(.beginTurn)
        guard case .failed(.providerError("microphone_unavailable", _))? = refused.actions.finished[refused.id]?.first
        else {
            Issue.record("\(refused.actions)")
            return
        }
        session.feed(.microphoneGateOpened)
        #expect(session.ask(.beginTurn).actions.uplinks == 1)
    }

    @Test(arguments: [SessionOperation.beginTurn, .endTurn])
    func aSessionThatListensByItselfRefusesTurnsOfTheApp(operation: SessionOperation) {
        var session = SessionHarness()
        session.wakeUp()
        let refused = session.ask(operation)
        guard case .failed(.providerError("turn_taking_automatic", _))? = refused.actions.finished[refused.id]?.first
        else {
            Issue.record("\(refused.actions)")
            return
        }
    }

    @Test(arguments: [SessionOperation.sleep, .stop])
    func anOpenTurnDoesNotOutliveTheSession(operation: SessionOperation) {
        var session = pushing()
        session.ask(.beginTurn)
        let end = session.ask(operation).actions
        #expect(end.microphone.contains(.stopUplink))
        #expect(end.commands.isEmpty)
        #expect(session.advance(.seconds(130)).commits.isEmpty)
    }

    @Test func theProvidersOwnDetectorIsNotHeard() {
        var session = pushing()
        session.beginAnswer("r1", item: "a1")
        session.audio(segment("r1", "a1"), milliseconds: 1_000)
        session.ask(.beginTurn)
        #expect(session.server(.speechStarted(itemID: "u1")).playback.isEmpty)
    }
}
