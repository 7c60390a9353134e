import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct OperationTests {
    static let refused = ConnectionClosure(code: "connection_refused", message: "Nobody answers.")

    @Test func aFailedConnectLeavesTheSessionDormantAndTheNextWakeTriesAgain() {
        var session = SessionHarness()
        session.ask(.start)
        let wake = session.ask(.wake)
        let failed = session.feed(.connectionFailed(session.connection, Self.refused))
        #expect(failed.states == [.dormant])
        #expect(failed.finished[wake.id] == [.failed(.networkError(Self.refused))])
        #expect(!failed.contains(.releaseSlot))
        session.ask(.wake)
        session.connect()
        #expect(session.machine.state == .active)
    }

    @Test func aFailedStartThatShouldWakeGivesTheSlotBack() {
        var session = SessionHarness { $0.startsActive = true }
        let start = session.ask(.start)
        #expect(start.actions.states == [.dormant, .activating])
        let failed = session.feed(.connectionFailed(session.connection, Self.refused))
        #expect(failed.contains(.releaseSlot))
        #expect(failed.finished[start.id] == [.failed(.networkError(Self.refused))])
        #expect(session.machine.state == .dormant)
    }

    @Test(arguments: [401, 403]) func aRefusedKeyIsToldAsSuch(status: Int) {
        var session = SessionHarness()
        session.ask(.start)
        let wake = session.ask(.wake)
        let closure = ConnectionClosure(code: "unauthorized", message: "The key is wrong.", httpStatus: status)
        var attempts = 1
        var failed = session.feed(.connectionFailed(session.connection, closure))
        while failed.finished.isEmpty, attempts < 5 {
            attempts += 1
            failed = session.feed(.connectionFailed(session.connection, closure))
        }
        #expect(failed.finished[wake.id] == [.failed(.noApiKey)])
        #expect(session.machine.state == .dormant)
        #expect(attempts == (status == 401 ? 2 : 1), "a new token is tried once")
    }

    @Test func aRefusedSessionFailsTheWakeWithTheProvidersWords() {
        var session = SessionHarness()
        session.ask(.start)
        let wake = session.ask(.wake)
        let opened = session.feed(.connectionOpened(session.connection))
        guard case .updateSession(let eventID)? = opened.commands.first else {
            Issue.record("no session.update")
            return
        }
        let failed = session.server(.errorReported(code: "bad_voice", message: "No such voice.", eventID: eventID))
        #expect(failed.finished[wake.id] == [.failed(.providerError(code: "bad_voice", message: "No such voice."))])
        #expect(failed.contains(.connection(.close(session.connection))))
        #expect(session.machine.state == .dormant)
    }

    @Test func operationsRunInTheirOrder() {
        var session = SessionHarness()
        let start = session.ask(.start)
        let first = session.ask(.wake)
        let second = session.ask(.wake)
        let sleep = session.ask(.sleep)
        #expect(start.actions.finished[start.id] == [.succeeded])
        #expect(second.actions.finished.isEmpty && sleep.actions.isEmpty)
        let awake = session.connect()
        let order = awake.compactMap { if case .finish(let id, _) = $0 { id } else { nil } }
        #expect(order == [first.id, second.id])
        #expect(session.machine.state == .sleeping)
        let closed = session.feed(.connectionClosed(session.connection, Self.refused))
        #expect(closed.finished[sleep.id] == [.succeeded])
        #expect(closed.events == [.wentDormant])
    }

    @Test func moreCallsThanTheLineHoldsAreRefused() {
        var session = SessionHarness()
        session.ask(.start)
        let outcomes = (0..<300).flatMap { _ in session.ask(.wake).actions.finished.values }
        #expect(outcomes == Array(repeating: [.failed(.notReady)], count: 300 - 1 - 256))
    }

    @Test func wakeDuringSleepingWaitsAndThenProceeds() {
        var session = SessionHarness()
        session.wakeUp()
        session.ask(.sleep)
        let wake = session.ask(.wake)
        #expect(wake.actions.finished.isEmpty && wake.actions.states.isEmpty)
        let closed = session.feed(.connectionClosed(session.connection, Self.refused))
        #expect(closed.states == [.dormant, .activating])
        #expect(session.connect().finished[wake.id] == [.succeeded])
    }

    @Test func stopOvertakesAConnectInProgressAndEndsWhatWaits() {
        var session = SessionHarness()
        session.ask(.start)
        let wake = session.ask(.wake)
        let sleep = session.ask(.sleep)
        let attempt = session.connection
        let stop = session.ask(.stop)
        #expect(stop.actions.contains(.connection(.close(attempt))))
        #expect(
            stop.actions.finished == [
                wake.id: [.failed(.sessionEnded)], sleep.id: [.failed(.sessionEnded)], stop.id: [.succeeded],
            ])
        #expect(stop.actions.states == [.stopping, .stopped])
    }

    @Test func stopDuringSleepingWaitsForTheSameEndAndBothStopsEndTogether() {
        var session = SessionHarness()
        session.wakeUp()
        let sleep = session.ask(.sleep)
        let stop = session.ask(.stop)
        let again = session.ask(.stop)
        #expect(stop.actions.finished[sleep.id] == [.failed(.sessionEnded)])
        #expect(session.ask(.wake).actions.finished.values.first == [.failed(.sessionEnded)])
        let closed = session.feed(.connectionClosed(session.connection, Self.refused))
        #expect(closed.finished == [stop.id: [.succeeded], again.id: [.succeeded]])
        #expect(closed.events == [.sessionEnded(reason: .user, message: nil)])
    }

    @Test func stopBeforeStartEndsWithoutAnEvent() {
        var session = SessionHarness()
        let stop = session.ask(.stop)
        #expect(
            stop.actions == [
                .enter(.stopping), .hook(.cancelAll), .enter(.stopped), .releaseSlot, .finish(stop.id, .succeeded),
            ])
    }

    @Test func stopCancelsToolsAndAnswersTheirCallsWithoutWaitingForThem() {
        var session = SessionHarness { $0.tools = [ToolFacts(name: "hang", schema: [:])] }
        session.wakeUp()
        session.beginAnswer("r1")
        session.call("c1", "hang", "{}", in: "r1")
        let stop = session.ask(.stop)
        #expect(stop.actions.tools == [.cancel(callID: "c1")])
        #expect(stop.actions.results.map(\.output) == ["hang was cancelled: the session ended."])
        #expect(stop.actions.createdItems.isEmpty)
        session.feed(.connectionClosed(session.connection, Self.refused))
        #expect(session.machine.state == .stopped)
        #expect(session.log.events.last == .sessionEnded(reason: .user, message: nil))
        #expect(
            session.feed(.toolReturned(callID: "c1", output: "late", isError: false)).diagnostics
                == [.lateToolResult(callID: "c1", name: "hang")])
    }

    @Test func fromTheFirstMomentOfSleepNothingIsSentAndCallsGoOn() {
        var session = SessionHarness { $0.tools = [ToolFacts(name: "work", schema: [:])] }
        session.wakeUp()
        session.beginAnswer("r1", item: "a1")
        session.audio(segment("r1", "a1"), milliseconds: 300)
        session.feed(.playbackStarted(segment("r1", "a1")))
        session.call("c1", "work", "{}", in: "r1")
        let sleep = session.ask(.sleep)
        #expect(sleep.actions.prefix(3) == [.microphone(.stopUplink), .microphone(.close), .enter(.sleeping)])
        #expect(sleep.actions.commands.isEmpty && sleep.actions.tools.isEmpty)
        #expect(sleep.actions.events == [.assistantAudioFinished])
        session.feed(.connectionClosed(session.connection, Self.refused))
        let result = session.feed(.toolReturned(callID: "c1", output: "done", isError: false))
        #expect(result.commands.isEmpty)
        session.ask(.wake)
        #expect(session.connect().outputs.map(\.output) == ["done"])
    }

    @Test(arguments: [SessionOperation.say(text: "x"), .greet(directive: "hi"), .sendText(text: "x")])
    func speechOnRequestNeedsAnAwakeSession(operation: SessionOperation) {
        var session = SessionHarness()
        func outcome() -> OperationOutcome? { session.ask(operation).actions.finished.values.first?.first }
        #expect(outcome() == .failed(.notReady))
        session.ask(.start)
        #expect(outcome() == .failed(.notReady))
        session.ask(.wake)
        #expect(outcome() == .failed(.notReady))
        session.connect()
        #expect(outcome() == nil)
        session.ask(.sleep)
        #expect(outcome() == .failed(.notReady))
        session.ask(.stop)
        #expect(outcome() == .failed(.sessionEnded))
        session.feed(.connectionClosed(session.connection, Self.refused))
        #expect(outcome() == .failed(.sessionEnded))
    }

    @Test func aSayThatTheProviderNeverTakesUpFailsInTime() {
        var session = SessionHarness()
        session.wakeUp()
        let say = session.ask(.say(text: "hello"))
        guard case .failed(.networkError(let closure))? = session.advance(.seconds(30)).finished[say.id]?.first else {
            Issue.record("the call did not fail")
            return
        }
        #expect(closure.code == "timeout")
        // The gate is free again.
        #expect(session.ask(.say(text: "again")).actions.requests.count == 1)
    }

    @Test func cancelSpeakCutsDropsWhatWaitsAndAsksForNoFollowUp() {
        var session = SessionHarness { $0.tools = [ToolFacts(name: "work", schema: [:])] }
        session.wakeUp()
        session.beginAnswer("r1", item: "a1")
        session.audio(segment("r1", "a1"), milliseconds: 300)
        session.feed(.playbackStarted(segment("r1", "a1")))
        session.call("c1", "work", "{}", in: "r1")
        let say = session.ask(.say(text: "later"))
        let cancel = session.ask(.cancelSpeak)
        guard case .playback(.flush)? = cancel.actions.first else {
            Issue.record("playback must be cut first")
            return
        }
        #expect(cancel.actions.cancels == ["r1"])
        #expect(cancel.actions.events == [.assistantAudioFinished])
        guard case .failed(.providerError("cancelled", _))? = cancel.actions.finished[say.id]?.first else {
            Issue.record("the waiting say did not end")
            return
        }
        session.server(.answerDone(responseID: "r1", status: .cancelled))
        let result = session.feed(.toolReturned(callID: "c1", output: "done", isError: false))
        #expect(result.outputs.count == 1)
        #expect(result.requests.isEmpty)
    }
}
