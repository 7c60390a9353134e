import GlassesAssistant
import GlassesDomain
import Testing

/// A connection that is left before its provider ends it.
@Suite struct RotationTests {
    /// A session with a turn of its user's and one of its assistant's, on a provider that ends it after an hour.
    private static func awake(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHarness {
        var session = SessionHarness {
            $0.sessionCeiling = .seconds(3_600)
            $0.silenceTimeout = nil
            configure(&$0)
        }
        session.wakeUp()
        session.userSays("hi", item: "u1")
        session.speakAnswer("r1", item: "a1", words: "Hello.", milliseconds: 400)
        session.playAll(segment("r1", "a1"), during: .milliseconds(400))
        return session
    }

    private static let items: [ConversationItem] = [
        .userText(id: "u1", text: "hi"), .assistantText(id: "a1", text: "Hello."),
    ]

    /// The session fifty minutes later, when a second connection has been asked for.
    private static func rotating(
        _ configure: (inout SessionConfiguration) -> Void = { _ in }
    ) -> (session: SessionHarness, old: ConnectionID) {
        var session = awake(configure)
        let old = session.connection
        session.advance(.seconds(3_000))
        return (session, old)
    }

    @Test func inAQuietMomentTheConversationMovesToASecondConnection() {
        var (session, old) = Self.rotating()
        let new = session.connection
        #expect(new != old)
        let turns = session.machine.turns
        session.feed(.connectionOpened(new))
        let replay = session.server(.sessionUpdated(ServerSessionFacts(createsResponse: true)))
        #expect(replay.createdItems == Self.items)
        #expect(session.server(.itemAdded(itemID: "u1", previousItemID: nil, kind: .userMessage)).microphone.isEmpty)
        let moved = session.server(.itemAdded(itemID: "a1", previousItemID: "u1", kind: .assistantMessage))
        #expect(moved.microphone == [.moveUplink(new)])
        #expect(moved.contains(.connection(.close(old))))
        #expect(moved.events == [.reconnected(reason: .proactiveCadence, downtimeMs: 0)])
        #expect(moved.states.isEmpty)
        #expect(session.machine.turns == turns)
        session.feed(.connectionClosed(old, ConnectionClosure(code: "closed", message: "bye", closeCode: 1000)))
        #expect(session.machine.state == .active)
    }

    @Test func eventsOfTheConnectionThatWasLeftAreDropped() {
        var (session, old) = Self.rotating()
        session.connect()
        let late = session.feed(.server(old, .speechStarted(itemID: "u2")))
        #expect(late.isEmpty)
        #expect(session.feed(.server(old, .userTranscriptCompleted(itemID: "u2", text: "late"))).isEmpty)
    }

    @Test func speechDuringTheReplayCallsTheAttemptOff() {
        var (session, old) = Self.rotating()
        let new = session.connection
        session.feed(.connectionOpened(new))
        session.server(.sessionUpdated(ServerSessionFacts()))
        let spoken = session.feed(.server(old, .speechStarted(itemID: "u2")))
        #expect(spoken.contains(.connection(.close(new))))
        #expect(!spoken.contains(.connection(.close(old))))
        #expect(session.feed(.server(new, .itemAdded(itemID: "u1", previousItemID: nil, kind: .userMessage))).isEmpty)
        #expect(session.machine.state == .active)
        session.feed(.server(old, .speechStopped(itemID: "u2")))
        #expect(session.connection == new)
        session.advance(.seconds(7))
        #expect(session.connection != new)
    }

    @Test(arguments: [SessionOperation.say(text: "One moment."), .sendText(text: "And now?")])
    func aCallOfTheAppDuringTheReplayGoesToTheConnectionInUse(operation: SessionOperation) {
        var (session, old) = Self.rotating()
        let new = session.connection
        session.feed(.connectionOpened(new))
        session.server(.sessionUpdated(ServerSessionFacts()))
        let asked = session.ask(operation).actions
        #expect(asked.contains(.connection(.close(new))))
        let sent = asked.compactMap { if case .send(_, let id) = $0 { id } else { nil } }
        #expect(!sent.isEmpty && sent.allSatisfy { $0 == old })
    }

    @Test func anEditOfTheHistoryDuringTheReplayMakesItAnew() {
        var (session, _) = Self.rotating()
        let new = session.connection
        session.feed(.connectionOpened(new))
        session.server(.sessionUpdated(ServerSessionFacts()))
        #expect(session.feed(.turnAppended(.userText(text: "note", timestampMs: 5))).contains(.connection(.close(new))))
        session.advance(.seconds(1))
        #expect(session.connection != new)
        let replay = session.connect().createdItems
        #expect(replay.count == 3)
    }

    @Test func aProviderThatRefusesASecondConnectionIsLeftFirst() {
        var (session, old) = Self.rotating()
        let refusal = ConnectionClosure(code: "http_429", message: "one", httpStatus: 429)
        let refused = session.feed(.connectionFailed(session.connection, refusal))
        #expect(refused.states == [.reconnecting])
        #expect(refused.contains(.connection(.close(old))))
        #expect(!refused.contains { if case .connection(.open) = $0 { true } else { false } })
        let left = session.feed(
            .connectionClosed(old, ConnectionClosure(code: "closed", message: "bye", closeCode: 1000)))
        #expect(left.contains(.connection(.open(session.connection))))
        let back = session.connect()
        #expect(back.createdItems == Self.items)
        #expect(back.events == [.reconnected(reason: .proactiveCadence, downtimeMs: 0)])
    }

    @Test func aProviderThatNeverAcknowledgesTheReplayIsLeftFirst() {
        var (session, old) = Self.rotating()
        let new = session.connection
        session.feed(.connectionOpened(new))
        session.server(.sessionUpdated(ServerSessionFacts()))
        let late = session.advance(.seconds(5))
        #expect(late.contains(.connection(.close(new))) && late.contains(.connection(.close(old))))
        #expect(session.machine.state == .reconnecting)
    }

    @Test func whoNeverPausesIsMovedTenSecondsBeforeTheEnd() {
        var session = Self.awake()
        let old = session.connection
        session.advance(.seconds(3_580))
        session.feed(.server(old, .speechStarted(itemID: "u2")))
        let final = session.advance(.seconds(10))
        #expect(final.contains(.connection(.close(old))))
        #expect(final.states == [.reconnecting])
        session.feed(.connectionClosed(old, ConnectionClosure(code: "closed", message: "bye", closeCode: 1000)))
        let back = session.connect()
        #expect(back.events == [.reconnected(reason: .ceilingApproach, downtimeMs: 400)])
        #expect(back.microphone.contains(.startUplink(session.connection, resending: true)))
    }

    @Test func aProviderThatSaysWhenItEndsIsBelievedWhereThatCanBeTrue() {
        for (expiresAt, opensAfter) in [(3_601, 3_000), (7_201, 6_600), (-5, 3_000), (0, 3_000), (Int.max, 3_000)] {
            var session = SessionHarness {
                $0.sessionCeiling = .seconds(3_600)
                $0.silenceTimeout = nil
            }
            session.ask(.start)
            session.ask(.wake)
            session.feed(.connectionOpened(session.connection))
            session.server(.sessionUpdated(ServerSessionFacts(expiresAt: expiresAt)))
            let first = session.connection
            session.advance(.seconds(opensAfter - 1))
            #expect(session.connection == first, "\(expiresAt)")
            session.advance(.seconds(1))
            #expect(session.connection != first, "\(expiresAt)")
        }
    }

    @Test func sleepDuringAnAttemptWaitsForBothConnections() {
        var (session, old) = Self.rotating()
        let new = session.connection
        session.feed(.connectionOpened(new))
        let sleep = session.ask(.sleep)
        #expect(sleep.actions.contains(.connection(.close(new))) && sleep.actions.contains(.connection(.close(old))))
        let closed = ConnectionClosure(code: "closed", message: "bye", closeCode: 1000)
        #expect(session.feed(.connectionClosed(old, closed)).states.isEmpty)
        #expect(session.feed(.connectionClosed(new, closed)).states == [.dormant])
    }

    @Test func anUtteranceThatTheSecondConnectionPutsIntoWordsIsKept() {
        var session = Self.awake()
        session.server(.speechStarted(itemID: "u2"))
        session.server(.speechStopped(itemID: "u2"))
        session.server(.utteranceCommitted(itemID: "u2", previousItemID: "a1"))
        session.advance(.seconds(3_000))
        let new = session.connection
        session.feed(.connectionOpened(new))
        #expect(session.server(.sessionUpdated(ServerSessionFacts())).createdItems.last == .userAudio(id: "u2"))
        let told = session.server(.userTranscriptCompleted(itemID: "u2", text: "what else"))
        #expect(told.events == [.userSpoke(transcript: "what else")])
        #expect(told.contains(.connection(.close(new))))
        session.advance(.seconds(1))
        #expect(session.connect().createdItems.last == .userText(id: "u2", text: "what else"))
    }
}
