import GlassesAssistant
import GlassesDomain
import Testing

/// Field bugs A7–A9: requests while an answer is active, errors by event id, operations at once.
@Suite struct ActiveResponseA7ToA9Tests {
    private func withTwoCalls() -> SessionHarness {
        var session = SessionHarness {
            $0.tools = [ToolFacts(name: "a", schema: [:]), ToolFacts(name: "b", schema: [:])]
        }
        session.wakeUp()
        session.beginAnswer("r1")
        session.call("c1", "a", "{}", in: "r1")
        session.call("c2", "b", "{}", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        return session
    }

    @Test func a7ResultsDuringTheServersOwnAnswerAreFollowedByOneRequestAfterIt() {
        var session = withTwoCalls()
        session.beginAnswer("r2")
        #expect(session.feed(.toolReturned(callID: "c1", output: "1", isError: false)).requests.isEmpty)
        session.advance(.milliseconds(5))
        let second = session.feed(.toolReturned(callID: "c2", output: "2", isError: false))
        #expect(second.outputs.map(\.callID) == ["c2"])
        #expect(second.requests.isEmpty)
        let done = session.server(.answerDone(responseID: "r2", status: .completed))
        #expect(done.requests.count == 1)
        session.grantRequest("r3")
        #expect(session.server(.answerDone(responseID: "r3", status: .completed)).requests.isEmpty)
    }

    @Test func a7ARequestThatMetAnUnseenAnswerIsKeptAndSentAfterIt() {
        var session = withTwoCalls()
        session.feed(.toolReturned(callID: "c1", output: "1", isError: false))
        let asked = session.feed(.toolReturned(callID: "c2", output: "2", isError: false))
        guard let request = asked.requests.first else {
            Issue.record("nothing was asked for")
            return
        }
        // The server had begun r2 by itself before our request reached it.
        session.beginAnswer("r2")
        let refused = session.server(
            .errorReported(
                code: "conversation_already_has_active_response", message: "busy", eventID: request.eventID))
        #expect(refused.requests.isEmpty)
        #expect(refused.events.isEmpty)
        #expect(session.server(.answerDone(responseID: "r2", status: .completed)).requests.count == 1)
    }

    @Test func a7ARequestRefusedForAnAnswerThatIsNeverSeenIsTriedAgainAfterASecond() {
        var session = withTwoCalls()
        session.feed(.toolReturned(callID: "c1", output: "1", isError: false))
        let asked = session.feed(.toolReturned(callID: "c2", output: "2", isError: false))
        let eventID = asked.requests.first?.eventID
        session.server(
            .errorReported(code: "conversation_already_has_active_response", message: "busy", eventID: eventID))
        #expect(session.advance(.milliseconds(999)).requests.isEmpty)
        #expect(session.advance(.milliseconds(1)).requests.count == 1)
    }

    @Test func a7AnAnswerTheServerBeganAfterItHadTheResultsIsTheFollowUp() {
        var session = withTwoCalls()
        session.server(.speechStarted(itemID: "u2"))
        session.feed(.toolReturned(callID: "c1", output: "1", isError: false))
        let second = session.feed(.toolReturned(callID: "c2", output: "2", isError: false))
        #expect(second.requests.isEmpty)
        for item in session.log.createdItems {
            session.server(.itemAdded(itemID: item.id, previousItemID: nil, kind: .functionCallOutput))
        }
        session.server(.speechStopped(itemID: "u2"))
        session.beginAnswer("r2")
        #expect(session.server(.answerDone(responseID: "r2", status: .completed)).requests.isEmpty)
    }

    @Test func a8AnErrorThatNamesTheRequestFailsTheCallAtOnce() {
        var session = SessionHarness()
        session.wakeUp()
        let say = session.ask(.say(text: "x"))
        #expect(say.actions.requests.map(\.request.metadata["extentos_say"]) == ["1"])
        #expect(say.actions.requests.map(\.request.isOutOfBand) == [true])
        session.advance(.milliseconds(20))
        let failed = session.server(
            .errorReported(code: "rate_limit", message: "slow down", eventID: say.actions.requests.first?.eventID))
        #expect(failed.finished[say.id] == [.failed(.providerError(code: "rate_limit", message: "slow down"))])
        #expect(failed.events.isEmpty)
    }

    @Test func a8SayEndsWhenItsAnswerBegins() {
        var session = SessionHarness()
        session.wakeUp()
        let say = session.ask(.say(text: "hello"))
        guard case .userText(_, "hello")? = say.actions.requests.first?.request.input?.first else {
            Issue.record("the text is not the input")
            return
        }
        let begun = session.server(
            .answerCreated(
                responseID: "r1", metadata: say.actions.requests.first?.request.metadata ?? [:], isOutOfBand: true))
        #expect(begun.finished[say.id] == [.succeeded])
    }

    @Test(arguments: 0..<1000) func a9RandomOperationsFromEightTasksEndInStoppedWithOneEndingEach(seed: Int) {
        var world = RandomWorld(seed: UInt64(seed))
        world.run()
        #expect(world.session.machine.state == .stopped)
        let finished = world.session.log.finished
        #expect(finished.count == world.asked)
        #expect(finished.values.allSatisfy { $0.count == 1 })
        let ends = world.session.log.events.count { if case .sessionEnded = $0 { true } else { false } }
        #expect(ends == (world.wasStarted ? 1 : 0))
        #expect(world.openConnections.isEmpty)
        #expect(world.samplesLeftWhileAsleep == 0)
    }
}
