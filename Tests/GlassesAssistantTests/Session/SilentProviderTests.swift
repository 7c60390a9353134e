import GlassesAssistant
import GlassesDomain
import Testing

/// A provider that owes an answer and says nothing.
@Suite struct SilentProviderTests {
    private func asked() -> SessionHarness {
        var session = SessionHarness()
        session.wakeUp()
        session.userSays("what time is it", item: "u1")
        session.beginAnswer("r1", item: "a1")
        return session
    }

    @Test func itsConnectionIsLeftOnceAndTheAnswerAskedForOnAnother() {
        var session = asked()
        let first = session.connection
        #expect(session.advance(.milliseconds(29_999)).states.isEmpty)
        #expect(session.advance(.milliseconds(1)).states == [.reconnecting])
        session.connect()
        #expect(session.machine.state == .active && session.connection != first)
        #expect(session.log.requests.count == 1)
        // The other one is silent, too: the answer is given up, and the session stays where it is.
        session.advance(.seconds(60))
        #expect(session.machine.state == .active)
        #expect(session.log.states.count { $0 == .reconnecting } == 1)
    }

    @Test func oneThatSaysAnythingIsNotLeft() {
        var session = asked()
        session.advance(.seconds(20))
        session.server(.speechStarted(itemID: "u2", startMs: 1_000))
        session.server(.speechStopped(itemID: "u2", endMs: 1_200))
        session.advance(.seconds(40))
        #expect(!session.log.states.contains(.reconnecting))
    }
}
