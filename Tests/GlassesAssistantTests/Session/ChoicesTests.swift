import GlassesAssistant
import GlassesDomain
import Testing

/// What the app chooses anew while the session is awake.
@Suite struct ChoicesTests {
    private func awake() -> SessionHarness {
        var session = SessionHarness()
        session.wakeUp()
        return session
    }

    private func updates(_ session: SessionHarness) -> [String] {
        session.log.commands.compactMap { if case .updateSession(let eventID) = $0 { eventID } else { nil } }
    }

    private func opened(_ session: SessionHarness) -> [ConnectionID] {
        session.log.compactMap { if case .connection(.open(let id)) = $0 { id } else { nil } }
    }

    @Test func aChoiceIsSentAtOnceAndEndsWithTheProvidersWord() throws {
        var session = awake()
        let before = updates(session).count
        let id = session.ask(.applyChoices(needsConnection: false)).id
        #expect(updates(session).count == before + 1)
        #expect(session.log.finished[id] == nil)
        session.server(.sessionUpdated(ServerSessionFacts()))
        #expect(session.log.finished[id] == [.succeeded])
    }

    @Test func aRefusedChoiceFailsAloneAndInItsOrder() throws {
        var session = awake()
        let first = session.ask(.applyChoices(needsConnection: false)).id
        let second = session.ask(.applyChoices(needsConnection: false)).id
        let eventID = try #require(updates(session).last)
        session.server(.sessionUpdated(ServerSessionFacts()))
        session.server(.errorReported(code: "invalid_value", message: "No.", eventID: eventID))
        #expect(session.log.finished[first] == [.succeeded])
        #expect(session.log.finished[second] == [.failed(.providerError(code: "invalid_value", message: "No."))])
    }

    @Test func aProviderThatDoesNotAnswerFailsTheChoiceAfterItsTime() {
        var session = awake()
        let id = session.ask(.applyChoices(needsConnection: false)).id
        session.advance(.seconds(61))
        guard case .failed? = session.log.finished[id]?.first else {
            Issue.record("the call still waits")
            return
        }
    }

    @Test func whatOnlyANewConnectionTakesEndsAtOnceAndChangesItInAQuietMoment() {
        var session = awake()
        let before = opened(session).count
        let id = session.ask(.applyChoices(needsConnection: true)).id
        #expect(session.log.finished[id] == [.succeeded])
        session.advance(.seconds(2))
        #expect(opened(session).count == before + 1)
        #expect(session.machine.state == .active)
    }

    @Test func asleepThereIsNothingToChooseFor() {
        var session = SessionHarness()
        session.ask(.start)
        let id = session.ask(.applyChoices(needsConnection: false)).id
        #expect(session.log.finished[id] == [.failed(.notReady)])
    }
}
