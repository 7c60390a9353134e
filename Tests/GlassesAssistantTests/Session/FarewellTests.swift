import GlassesAssistant
import GlassesDomain
import Testing

/// The conversation ends by the model's `end_conversation`, and the goodbye is heard in full.
@Suite struct FarewellTests {
    private func session() -> SessionHarness {
        var session = SessionHarness {
            $0.tools = [ToolFacts(name: "end_conversation", schema: [:], role: .endsConversation)]
        }
        session.wakeUp()
        return session
    }

    private func take(_ session: inout SessionHarness) {
        for item in session.log.createdItems {
            session.server(.itemAdded(itemID: item.id, previousItemID: nil, kind: .functionCallOutput))
        }
    }

    @Test func anAnswerThatHasSaidGoodbyeIsHeardToItsEndAndNotRepeated() {
        var session = session()
        session.beginAnswer("r1", item: "a1")
        let part = segment("r1", "a1")
        session.server(.answerTranscriptReceived(part, text: "Goodbye!"))
        session.audio(part, milliseconds: 3_000)
        session.server(.answerAudioDone(part))
        session.server(.answerTranscriptDone(part, text: "Goodbye!"))
        session.call("c1", "end_conversation", "{}", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        take(&session)
        #expect(session.log.requests.isEmpty)
        #expect(session.machine.state == .active)
        session.playAll(part, during: .seconds(3))
        #expect(session.machine.state == .sleeping)
        #expect(session.log.results.map(\.isError) == [false])
        #expect(!session.log.tools.contains { if case .run = $0 { true } else { false } })
    }

    @Test func anAnswerWithoutWordsIsFollowedByTheGoodbye() {
        var session = session()
        session.beginAnswer("r1")
        session.call("c1", "end_conversation", "", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        take(&session)
        #expect(session.log.requests.count == 1)
        session.grantRequest("r2")
        session.server(.answerItemAdded(responseID: "r2", itemID: "a2", kind: .assistantMessage))
        session.audio(segment("r2", "a2"), milliseconds: 1_000)
        session.server(.answerDone(responseID: "r2", status: .completed))
        #expect(session.machine.state == .active)
        session.playAll(segment("r2", "a2"), during: .seconds(1))
        #expect(session.machine.state == .sleeping)
    }

    @Test func aUserWhoGoesOnKeepsTheConversation() {
        var session = session()
        session.beginAnswer("r1")
        session.call("c1", "end_conversation", "", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.userSays("wait, one more thing", item: "u1")
        session.beginAnswer("r2")
        session.server(.answerDone(responseID: "r2", status: .completed))
        session.advance(.seconds(20))
        #expect(session.machine.state == .active)
    }

    @Test func aSleepByOtherMeansForgetsTheGoodbye() {
        var session = session()
        session.beginAnswer("r1")
        session.call("c1", "end_conversation", "", in: "r1")
        session.ask(.sleep)
        session.feed(
            .connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "", closeCode: 1000)))
        session.ask(.wake)
        session.connect()
        session.advance(.seconds(1))
        #expect(session.machine.state == .active)
    }
}
