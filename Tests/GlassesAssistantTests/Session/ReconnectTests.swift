import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct ReconnectTests {
    static let dropped = ConnectionClosure(code: "dropped", message: "The link dropped.", closeCode: 1006)

    private func awake(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHarness {
        var session = SessionHarness(configure)
        session.wakeUp()
        return session
    }

    @Test func aLostConnectionIsReplacedAndTellsHowLongItWasAway() {
        var session = awake { $0.greeting = .compose(directive: "Say hello.") }
        session.grantRequest("r0")
        session.server(.answerDone(responseID: "r0", status: .completed))
        session.userSays("hi", item: "u1")
        session.speakAnswer("r1", item: "a1", words: "Hello.", milliseconds: 400)
        session.playAll(segment("r1", "a1"), during: .milliseconds(400))
        let lost = session.feed(.connectionClosed(session.connection, Self.dropped))
        #expect(lost.microphone == [.stopUplink])
        #expect(lost.states == [.reconnecting])
        session.advance(.milliseconds(250))
        let back = session.connect()
        #expect(
            back.createdItems == [.userText(id: "u1", text: "hi"), .assistantText(id: "a1", text: "Hello.")])
        #expect(back.states == [.active])
        #expect(back.events == [.reconnected(reason: .networkDrop, downtimeMs: 250)])
        #expect(back.microphone == [.startUplink(session.connection)])
        #expect(back.requests.isEmpty)
    }

    @Test func receivedAudioPlaysOnWhileTheConnectionIsAway() {
        var session = awake()
        session.speakAnswer("r1", item: "a1", words: "A long story.", milliseconds: 3000)
        session.feed(.playbackStarted(segment("r1", "a1")))
        let lost = session.feed(.connectionClosed(session.connection, Self.dropped))
        #expect(lost.playback.isEmpty)
        #expect(lost.events.isEmpty)
        #expect(session.feed(.playbackDrained).events == [.assistantAudioFinished])
        #expect(session.machine.turns == [.assistantText(text: "A long story.", timestampMs: 1000)])
    }

    @Test(arguments: [1008, 1002, 1003, 4001] as [UInt16])
    func aFinalCloseEndsTheSessionOnce(code: UInt16) {
        var session = awake()
        let closure = ConnectionClosure(code: "refused", message: "The key is not valid.", closeCode: code)
        let ended = session.feed(.connectionClosed(session.connection, closure))
        #expect(ended.states == [.reconnecting, .stopped])
        #expect(ended.contains(.releaseSlot))
        #expect(ended.events == [.sessionEnded(reason: .error, message: "The key is not valid.")])
        #expect(session.ask(.wake).actions.finished.values.first == [.failed(.sessionEnded)])
    }

    @Test func anExhaustedPolicyEndsTheSession() {
        var session = awake()
        session.feed(.connectionClosed(session.connection, Self.dropped))
        var attempts = 0
        while session.machine.state == .reconnecting, attempts < 100 {
            session.advance(.seconds(8))
            attempts += 1
            let closure = ConnectionClosure(code: "refused", message: "No one there.")
            session.feed(.connectionFailed(session.connection, closure))
        }
        #expect(session.machine.state == .stopped)
        #expect(session.log.events.last == .sessionEnded(reason: .error, message: "No one there."))
    }

    @Test func anAnswerThatTheConnectionTookIsKeptAsReceivedAndAskedForOnceMore() {
        var session = awake()
        session.userSays("tell me", item: "u1")
        session.beginAnswer("r1", item: "a1")
        let part = segment("r1", "a1")
        session.server(.answerTranscriptReceived(part, text: "one two three four five"))
        session.audio(part, milliseconds: 1000)
        session.feed(.playbackStarted(part))
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.milliseconds(250))
        let back = session.connect()
        // 23 characters at 60 ms last 1,380 ms; 1,000 ms of them hold 16 characters.
        #expect(back.createdItems.last == .assistantText(id: "a1", text: "one two three …"))
        #expect(back.requests.count == 1)
        session.feed(.playbackDrained)
        session.grantRequest("r2")
        #expect(session.server(.answerDone(responseID: "r2", status: .completed)).requests.isEmpty)
    }

    @Test func theUserWhoSpeaksFirstGetsAnAnswerInsteadOfTheLostOne() {
        var session = awake()
        session.beginAnswer("r1", item: "a1")
        session.audio(segment("r1", "a1"), milliseconds: 200)
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.milliseconds(250))
        let id = session.connection
        session.feed(.connectionOpened(id))
        // The replay is empty: nothing of a1 has words. The user's first sound and the session's begin come together.
        let back = session.server(.sessionUpdated(ServerSessionFacts()))
        #expect(back.requests.count == 1)
        session.server(.speechStarted(itemID: "u1"))
        let begun = session.server(
            .answerCreated(
                responseID: "r2", metadata: back.requests.first?.request.metadata ?? [:], isOutOfBand: false))
        #expect(begun.cancels == ["r2"])
    }

    @Test func aRunningCallIsLeftOutOfTheReplayAndAddedWithItsResult() {
        var session = awake { $0.tools = [ToolFacts(name: "add", schema: [:])] }
        session.beginAnswer("r1")
        session.call("c1", "add", #"{"item":"milk"}"#, in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.milliseconds(250))
        #expect(session.connect().createdItems.isEmpty)
        let ended = session.feed(.toolReturned(callID: "c1", output: "added", isError: false))
        #expect(
            ended.createdItems.first
                == .functionCall(id: "item_c1", callID: "c1", name: "add", arguments: #"{"item":"milk"}"#))
        #expect(ended.outputs.map(\.output) == ["added"])
        #expect(ended.requests.count == 1)
    }

    @Test func aResultThatComesWhileTheConnectionIsAwayIsReplayedInItsPair() {
        var session = awake { $0.tools = [ToolFacts(name: "add", schema: [:])] }
        session.beginAnswer("r1")
        session.call("c1", "add", "{}", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.feed(.connectionClosed(session.connection, Self.dropped))
        #expect(session.feed(.toolReturned(callID: "c1", output: "added", isError: false)).commands.isEmpty)
        session.advance(.milliseconds(250))
        let back = session.connect()
        guard case .functionCall(_, "c1", "add", "{}")? = back.createdItems.first else {
            Issue.record("the call is missing: \(back.createdItems)")
            return
        }
        #expect(back.outputs.map(\.callID) == ["c1"])
        #expect(back.requests.count == 1)
    }

    @Test func typedAndSpokenRequestsOfTheGapAreServedAfterIt() {
        var session = awake()
        session.feed(.connectionClosed(session.connection, Self.dropped))
        let text = session.ask(.sendText(text: "and then?"))
        let say = session.ask(.say(text: "One moment."))
        #expect(text.actions.commands.isEmpty && say.actions.commands.isEmpty)
        session.advance(.milliseconds(250))
        let back = session.connect()
        #expect(back.finished[text.id] == [.succeeded])
        #expect(back.requests.count == 1)
        session.grantRequest("r1")
        let next = session.server(.answerDone(responseID: "r1", status: .completed))
        #expect(next.requests.first?.request.metadata["extentos_say"] == "1")
    }

    @Test func textTypedDuringTheReplayIsSentAfterIt() {
        var session = awake()
        session.ask(.sendText(text: "first"))
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.milliseconds(250))
        session.feed(.connectionOpened(session.connection))
        let replay = session.server(.sessionUpdated(ServerSessionFacts())).createdItems
        #expect(replay.count == 1)
        #expect(session.ask(.sendText(text: "second")).actions.createdItems.isEmpty)
        let ready = session.server(.itemAdded(itemID: replay[0].id, previousItemID: nil, kind: .userMessage))
        guard case .userText(_, "second")? = ready.createdItems.first, ready.createdItems.count == 1 else {
            Issue.record("expected the second text, got \(ready.createdItems)")
            return
        }
    }

    @Test func aReplayThatIsNeverAcknowledgedDoesNotHoldTheSession() {
        var session = awake()
        session.userSays("hi", item: "u1")
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.milliseconds(250))
        session.feed(.connectionOpened(session.connection))
        session.server(.sessionUpdated(ServerSessionFacts()))
        let actions = session.advance(.seconds(5))
        #expect(actions.diagnostics == [.replayUnacknowledged(items: 1)])
        #expect(session.machine.state == .active)
    }

    @Test func aConnectionThatComesAfterStopIsClosed() {
        var session = awake()
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.milliseconds(250))
        let late = session.connection
        let stop = session.ask(.stop)
        #expect(stop.actions.finished[stop.id] == [.succeeded])
        #expect(session.feed(.connectionOpened(late)).first == .connection(.close(late)))
        #expect(session.advance(.milliseconds(2200)).contains(.connection(.abandon(late))))
    }

    @Test func factsOfAnOldConnectionAreDropped() {
        var session = awake()
        let old = session.connection
        session.feed(.connectionClosed(old, Self.dropped))
        session.advance(.milliseconds(250))
        session.connect()
        #expect(session.feed(.server(old, .speechStarted(itemID: "u9"))).isEmpty)
    }
}
