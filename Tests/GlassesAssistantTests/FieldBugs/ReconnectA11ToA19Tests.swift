import GlassesAssistant
import GlassesDomain
import Testing

/// The field log's bugs of reconnects and closes, by their letter.
@Suite struct ReconnectA11ToA19Tests {
    private static let dropped = ConnectionClosure(code: "dropped", message: "The link dropped.", closeCode: 1006)

    /// A session that has held `turns` turns.
    private func conversation(
        _ turns: Int, _ configure: (inout SessionConfiguration) -> Void = { _ in }
    ) -> SessionHarness {
        var session = SessionHarness(configure)
        session.wakeUp()
        for turn in 1...turns {
            session.userSays("question \(turn)", item: "u\(turn)")
            session.speakAnswer("r\(turn)", item: "a\(turn)", words: "Answer \(turn).", milliseconds: 300)
            session.playAll(segment("r\(turn)", "a\(turn)"), during: .milliseconds(300))
        }
        return session
    }

    /// The link drops and is there again; what was said to the new provider.
    private func dropAndReturn(_ session: inout SessionHarness) -> [SessionAction] {
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.seconds(2))
        return session.connect()
    }

    @Test func a11ReplayedTurnsHaveTheirSidesAndAreNeverTruncated() {
        var session = conversation(3)
        let back = dropAndReturn(&session)
        let sides = back.createdItems.map { item -> String in
            switch item {
            case .userText(_, let text): "user \(text)"
            case .assistantText(_, let text): "assistant \(text)"
            default: "\(item)"
            }
        }
        #expect(sides == (1...3).flatMap { ["user question \($0)", "assistant Answer \($0)."] })
        // Speech before any new audio: the replayed texts have no sound that could be cut.
        let spoken = session.server(.speechStarted(itemID: "u4"))
        #expect(spoken.truncations.isEmpty && spoken.cancels.isEmpty)
        #expect(session.log.truncations.isEmpty)
    }

    @Test func a13AReconnectGreetsNobodyAndAsksForNothingUntilTheUserSpeaks() {
        for greeting in [GreetingPlan.compose(directive: "Say hello."), .speak(text: "Hello.")] {
            var session = SessionHarness { $0.greeting = greeting }
            session.wakeUp()
            #expect(session.log.requests.count == 1)
            session.grantRequest("greet")
            session.server(.answerDone(responseID: "greet", status: .completed))
            session.userSays("hi", item: "u1")
            session.speakAnswer("r1", item: "a1", words: "Hi.", milliseconds: 300)
            session.playAll(segment("r1", "a1"), during: .milliseconds(300))
            let asked = session.log.requests.count
            for _ in 1...3 {
                _ = dropAndReturn(&session)
                session.advance(.seconds(20))
            }
            #expect(session.log.requests.count == asked)
            #expect(session.log.events.count { if case .reconnected = $0 { true } else { false } } == 3)
        }
    }

    /// What the app asks for while the provider keeps silent about the close.
    @Test(arguments: [SessionOperation.stop, .sleep])
    func a19ACloseThatIsNeverAnsweredHoldsNothingForMoreThanTwoSecondsAndAHalf(_ operation: SessionOperation) {
        var session = conversation(1)
        let connection = session.connection
        let asked = session.ask(operation)
        #expect(asked.actions.contains(.connection(.close(connection))))
        let actions = asked.actions + session.advance(.milliseconds(2_500))
        #expect(actions.finished[asked.id] == [.succeeded])
        #expect(actions.contains(.connection(.abandon(connection))), "the socket is dropped")
        #expect(session.machine.state == (operation == .stop ? .stopped : .dormant))
        let ends = session.log.events.count { if case .sessionEnded = $0 { true } else { false } }
        #expect(ends == (operation == .stop ? 1 : 0))
        // An answer that comes after all changes nothing.
        let late = session.feed(.connectionClosed(connection, Self.dropped))
        #expect(late.events.isEmpty && late.states.isEmpty)
    }
}
