import GlassesAssistant
import GlassesDomain
import Testing

/// Whatever a wake waits for, it has ended ten seconds after the app's call.
@Suite struct WakeLimitTests {
    private func asked(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> (SessionHarness, OperationID) {
        var session = SessionHarness(configure)
        session.ask(.start)
        let wake = session.ask(.wake)
        return (session, wake.id)
    }

    private func hasTimedOut(_ outcomes: [OperationOutcome]?) -> Bool {
        guard case .failed(.networkError(let closure))? = outcomes?.first, outcomes?.count == 1 else { return false }
        return closure.code == "timeout"
    }

    @Test func aProviderThatNeverAnswersFailsTheWakeInTime() {
        var (session, wake) = asked()
        let attempt = session.connection
        let actions = session.advance(.seconds(10))
        #expect(hasTimedOut(actions.finished[wake]))
        #expect(actions.contains(.connection(.close(attempt))))
        #expect(session.machine.state == .dormant)
    }

    @Test func aSessionThatIsNeverAcceptedFailsTheWakeInTime() {
        var (session, wake) = asked()
        session.advance(.seconds(9))
        session.feed(.connectionOpened(session.connection))
        #expect(hasTimedOut(session.advance(.seconds(1)).finished[wake]))
    }

    @Test func aHistoryThatIsNeverAcknowledgedHoldsALateWakeNoLongerThanItsLimit() {
        var (session, wake) = asked()
        session.feed(.turnAppended(.userText(text: "hello", timestampMs: 1)))
        session.advance(.seconds(8))
        session.feed(.connectionOpened(session.connection))
        session.server(.sessionUpdated(ServerSessionFacts()))
        let actions = session.advance(.seconds(2))
        #expect(actions.finished[wake] == [.succeeded])
        #expect(actions.diagnostics == [.replayUnacknowledged(items: 1)])
        #expect(session.machine.state == .active)
        #expect(session.advance(.seconds(10)).diagnostics.isEmpty)
    }

    @Test func aWakeBehindASlowSleepGetsOnlyWhatIsLeftOfItsTime() {
        var session = SessionHarness()
        session.wakeUp()
        session.ask(.sleep)
        let wake = session.ask(.wake)
        session.advance(.milliseconds(2200))
        #expect(session.machine.state == .activating)
        #expect(session.advance(.milliseconds(7000)).finished.isEmpty)
        #expect(hasTimedOut(session.advance(.milliseconds(800)).finished[wake.id]))
    }

    @Test func aWakeThatNeverHasItsTurnFailsInTimeAndDoesNotWakeTheSessionLater() {
        var (session, first) = asked()
        session.ask(.sleep)
        session.advance(.milliseconds(10))
        let last = session.ask(.wake)
        // The first wake succeeds at its last moment, and the provider never closes for the sleep after it.
        session.advance(.milliseconds(9_680))
        #expect(session.connect().finished[first] == [.succeeded])
        #expect(hasTimedOut(session.advance(.milliseconds(310)).finished[last.id]))
        session.advance(.seconds(30))
        #expect(session.machine.state == .dormant)
    }

    @Test func everyWakeInLineEndsInTimeWhenTheProviderNeverAnswers() {
        var (session, first) = asked()
        let others = (0..<5).map { _ in session.ask(.wake).id }
        let finished = session.advance(.seconds(10)).finished
        for id in [first] + others { #expect(hasTimedOut(finished[id])) }
        #expect(session.machine.state == .dormant)
    }

    @Test func stopEndsAWakeInLineAndItsLimit() {
        var (session, _) = asked()
        let waiting = session.ask(.wake)
        let stop = session.ask(.stop)
        #expect(stop.actions.finished[waiting.id] == [.failed(.sessionEnded)])
        #expect(stop.actions.contains(.timer(.cancel(.wake(waiting.id)))))
        #expect(session.advance(.seconds(30)).finished.isEmpty)
    }
}
