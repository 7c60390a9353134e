import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct ConversationTests {
    @Test func aComposedGreetingIsAskedForInsideTheConversationOnTheFirstWakeOnly() {
        var session = SessionHarness { $0.greeting = .compose(directive: "Say hello.") }
        session.wakeUp()
        #expect(session.log.requests.map(\.request.instructions) == ["Say hello."])
        #expect(session.log.requests.map(\.request.isOutOfBand) == [false])
        session.ask(.sleep)
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "closed")))
        session.ask(.wake)
        #expect(session.connect().requests.isEmpty)
    }

    @Test func aProviderThatCannotComposeSpeaksTheFallback() {
        let plan = GreetingPlan.plan(directive: "Say hello.", canCompose: false, fallback: "Hello.")
        var session = SessionHarness { $0.greeting = plan }
        session.wakeUp()
        guard case .userText(_, "Hello.")? = session.log.requests.first?.request.input?.first else {
            Issue.record("the greeting was not spoken: \(session.log.requests)")
            return
        }
        #expect(session.log.requests.first?.request.metadata["extentos_say"] == "1")
        #expect(GreetingPlan.plan(directive: nil, canCompose: true, fallback: "Hello.") == .none)
    }

    @Test func aSleepPhrasePutsTheSessionToSleep() {
        var session = SessionHarness { $0.sleepPhrases = ["that's all"] }
        session.wakeUp()
        session.userSays("Thanks, that’s all!", item: "u1")
        #expect(session.machine.state == .sleeping)
        #expect(session.log.events.last == .userSpoke(transcript: "Thanks, that’s all!"))
    }

    /// Sleeps and wakes again; the actions of the new connection.
    private func wakeAgain(_ session: inout SessionHarness) -> [SessionAction] {
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "closed")))
        session.ask(.wake)
        return session.connect()
    }

    @Test(arguments: [true, false]) func aSpokenSleepPhraseIsNeitherReplayedNorAnsweredAtTheNextWake(creates: Bool) {
        var session = SessionHarness { $0.sleepPhrases = ["good night"] }
        session.wakeUp(creates: creates)
        session.userSays("hello", item: "u1")
        session.beginAnswer("r1", item: "a1")
        session.server(.answerTextDone(segment("r1", "a1"), text: "Hi."))
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.userSays("Good night.", item: "u2", after: "a1")
        #expect(session.machine.state == .sleeping)
        let back = wakeAgain(&session)
        #expect(
            back.createdItems == [.userText(id: "u1", text: "hello"), .assistantText(id: "a1", text: "Hi.")])
        #expect(back.requests.isEmpty)
    }

    @Test func aTypedSleepPhraseSucceedsAndIsNeitherSentNorReplayedNorAnswered() {
        var session = SessionHarness { $0.sleepPhrases = ["good night"] }
        session.wakeUp()
        let typed = session.ask(.sendText(text: "Good night!"))
        #expect(typed.actions.events == [.userSpoke(transcript: "Good night!")])
        #expect(typed.actions.finished[typed.id] == [.succeeded])
        #expect(typed.actions.commands.isEmpty)
        #expect(session.machine.state == .sleeping)
        #expect(session.machine.turns.isEmpty)
        let back = wakeAgain(&session)
        #expect(back.createdItems.isEmpty)
        #expect(back.requests.isEmpty)
    }

    @Test func aSleepPhraseTypedWhileTheConnectionIsAwayIsNotReplayedEither() {
        var session = SessionHarness { $0.sleepPhrases = ["good night"] }
        session.wakeUp()
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "dropped", message: "dropped")))
        let typed = session.ask(.sendText(text: "good night"))
        #expect(typed.actions.finished[typed.id] == [.succeeded])
        #expect(session.machine.state == .dormant)
        session.ask(.wake)
        let back = session.connect()
        #expect(back.createdItems.isEmpty && back.requests.isEmpty)
    }

    @Test func hooksRunAfterTheirStateAndTheirErrorsAreEvents() {
        var session = SessionHarness {
            $0.hasWakeHook = true
            $0.hasSleepHook = true
        }
        session.wakeUp()
        #expect(session.log.contains(.hook(.run(.onWake))))
        let failed = session.feed(.hookEnded(.onWake, errorMessage: "oops"))
        #expect(failed.events == [.error(kind: "wake_hook", message: "oops")])
        session.ask(.sleep)
        let closed = session.feed(
            .connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "closed")))
        #expect(closed.last { if case .timer = $0 { false } else { true } } == .hook(.run(.onSleep)))
        #expect(session.feed(.hookEnded(.onSleep, errorMessage: nil)).isEmpty)
    }

    @Test func transcriptsThatComeLateTakeTheirPlaceByTheirPredecessor() {
        var session = SessionHarness()
        session.wakeUp()
        session.server(.speechStarted(itemID: "u1"))
        session.server(.speechStopped(itemID: "u1"))
        session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil))
        session.speakAnswer("r1", item: "a1", words: "Noon.", milliseconds: 300)
        session.playAll(segment("r1", "a1"), during: .milliseconds(300))
        session.server(.userTranscriptCompleted(itemID: "u1", text: "what time is it"))
        #expect(
            session.machine.turns.map(\.text) == ["what time is it", "Noon."])
    }

    @Test func aServerThatLeavesTheAnswerToTheClientIsAskedAfterEachUtterance() {
        var session = SessionHarness()
        session.wakeUp(creates: false)
        session.server(.speechStarted(itemID: "u1"))
        session.server(.speechStopped(itemID: "u1"))
        let committed = session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil))
        #expect(committed.requests.count == 1)
    }

    @Test func historyEditsShowAtOnceAndReachTheProviderWithTheNextReplay() {
        var session = SessionHarness()
        session.wakeUp()
        let turns: [Turn] = [.userText(text: "a", timestampMs: 1), .assistantText(text: "b", timestampMs: 2)]
        #expect(session.feed(.historyReplaced(turns)) == [.publishHistory(turns)])
        session.feed(.turnAppended(.userText(text: "c", timestampMs: 3)))
        #expect(session.machine.turns.map(\.text) == ["a", "b", "c"])
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "dropped", message: "dropped")))
        session.advance(.milliseconds(250))
        let replayed = session.connect().createdItems
        #expect(replayed.count == 3)
        #expect(session.feed(.historyCleared) == [.publishHistory([])])
    }

    @Test func historyIsEmptyAfterStopAndEditsAreIgnored() {
        var session = SessionHarness()
        session.wakeUp()
        session.feed(.turnAppended(.userText(text: "a", timestampMs: 1)))
        session.ask(.stop)
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "closed", message: "closed")))
        #expect(session.machine.turns.isEmpty)
        session.feed(.turnAppended(.userText(text: "b", timestampMs: 2)))
        #expect(session.machine.turns.isEmpty)
    }

    @Test func anErrorOfTheProviderIsAnEventAndTheSessionGoesOn() {
        var session = SessionHarness()
        session.wakeUp()
        let actions = session.server(.errorReported(code: "overloaded", message: "Try later.", eventID: nil))
        #expect(actions.events == [.error(kind: "overloaded", message: "Try later.")])
        #expect(session.machine.state == .active)
    }

    @Test func anAnswerThatSendsNothingMoreIsGivenUp() throws {
        var session = SessionHarness()
        session.wakeUp()
        session.beginAnswer("r1", item: "a1")
        session.ask(.sendText(text: "hello?"))
        let item = try #require(session.log.createdItems.last?.id)
        session.advance(.seconds(1))
        session.server(.itemAdded(itemID: item, previousItemID: nil, kind: .userMessage))
        #expect(session.advance(.milliseconds(28_999)).requests.isEmpty)
        let stalled = session.advance(.milliseconds(1))
        #expect(stalled.diagnostics == [.answerStalled(responseID: "r1")])
        #expect(stalled.requests.count == 1)
    }

    /// As a peer that takes everything and has died: a ping finds out later than the user has patience.
    @Test func aProviderThatOwesAnAnswerAndSaysNothingAtAllIsLeftAndAnotherConnectionIsAskedForIt() throws {
        var session = SessionHarness()
        session.wakeUp()
        session.ask(.sendText(text: "hello?"))
        let item = try #require(session.log.createdItems.last?.id)
        session.server(.itemAdded(itemID: item, previousItemID: nil, kind: .userMessage))
        let (requests, silent) = (session.log.requests.count, session.connection)
        #expect(requests == 1)
        let left = session.advance(.seconds(30))
        #expect(left.diagnostics == [.silentConnectionLeft])
        #expect(session.machine.state == .reconnecting)
        #expect(session.connection != silent)
        session.connect()
        #expect(session.machine.state == .active)
        #expect(session.log.requests.count == 2)
    }
}

extension Turn {
    var text: String {
        switch self {
        case .userText(let text, _), .assistantText(let text, _): text
        case .toolInvocation(let name, _, _, _): name
        case .toolReturn(_, let output, _): output
        }
    }
}
