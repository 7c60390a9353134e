import GlassesAssistant
import GlassesDomain
import Testing

/// How connections end, and what of the conversation goes over to the next one: field bugs A10 to A17.
@Suite struct LostConnectionTests {
    private func awake(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHarness {
        var session = SessionHarness(configure)
        session.wakeUp()
        return session
    }

    private func closure(_ code: UInt16) -> ConnectionClosure {
        ConnectionClosure(code: "closed", message: "It was closed.", closeCode: code)
    }

    private func lose(_ session: inout SessionHarness, code: UInt16 = 1006) {
        session.feed(.connectionClosed(session.connection, closure(code)))
        session.advance(.milliseconds(250))
    }

    // MARK: - A10

    /// The session ends at 60 s of a clock that began at 1 s, and the user never stops speaking.
    @Test(arguments: [
        (50, 1001, ReconnectReason.ceilingApproach), (20, 1001, .networkDrop), (50, 1006, .networkDrop),
    ])
    func aSessionClosedAtItsAnnouncedEndReconnectsBecauseOfTheCeiling(
        seconds: Int, code: UInt16, reason: ReconnectReason
    ) {
        var session = awake()
        session.server(.sessionUpdated(ServerSessionFacts(expiresAt: 60)))
        session.server(.speechStarted(itemID: "u1"))
        session.advance(.seconds(seconds))
        if session.machine.state == .dormant { Issue.record("the session sleeps") }
        lose(&session, code: code)
        #expect(session.connect().events == [.reconnected(reason: reason, downtimeMs: 250)])
    }

    @Test func anExpiredSessionIsNoErrorForTheAppAndReconnectsBecauseOfTheCeiling() {
        var session = awake()
        let told = session.server(.errorReported(code: "session_expired", message: "60 minutes.", eventID: nil))
        #expect(told.events.isEmpty)
        lose(&session, code: 1001)
        #expect(session.connect().events == [.reconnected(reason: .ceilingApproach, downtimeMs: 250)])
        lose(&session)
        #expect(session.connect().events == [.reconnected(reason: .networkDrop, downtimeMs: 250)])
    }

    @Test func aCeilingAfterWhichNoConnectionIsAllowedEndsTheSessionAsSuch() {
        var session = awake()
        session.server(.errorReported(code: "session_expired", message: "60 minutes.", eventID: nil))
        lose(&session, code: 1001)
        let refused = ConnectionClosure(code: "forbidden", message: "No more today.", httpStatus: 403)
        let ended = session.feed(.connectionFailed(session.connection, refused))
        #expect(ended.events == [.sessionEnded(reason: .ceiling, message: "No more today.")])
    }

    // MARK: - A14 to A16

    @Test func aReconnectWithAnOldTokenIsTriedOnceMoreAtOnce() {
        let unauthorized = ConnectionClosure(code: "unauthorized", message: "The token is old.", httpStatus: 401)
        var session = awake()
        lose(&session)
        let first = session.connection
        session.feed(.connectionFailed(first, unauthorized))
        session.advance(.zero)
        #expect(session.connection != first)
        var renewed = session
        #expect(renewed.connect().states == [.active])
        let ended = session.feed(.connectionFailed(session.connection, unauthorized))
        #expect(ended.events == [.sessionEnded(reason: .error, message: "The token is old.")])
    }

    @Test func aProviderThatDiesOfEachAnswerIsNotAskedForEver() {
        var session = awake()
        session.userSays("tell me", item: "u1")
        session.beginAnswer("r0", item: "a0")
        var requests = 0
        for number in 1...10 {
            lose(&session, code: 1011)
            requests += session.connect().requests.count
            if session.log.requests.count == number { session.grantRequest("r\(number)") }
        }
        #expect(requests == 3)
        #expect(session.log.diagnostics.contains(.lostAnswerGivenUp))
        session.userSays("again", item: "u2")
        session.beginAnswer("r20", item: "a20")
        lose(&session, code: 1011)
        #expect(session.connect().requests.count == 1, "a new question counts anew")
    }

    @Test func aRetryAfterIsWaitedForAndCapped() {
        var session = awake()
        lose(&session)
        for (told, waited) in [(2.0, 2), (3, 3), (86_400, 60)] as [(Double, Int)] {
            let attempt = session.connection
            let busy = ConnectionClosure(code: "busy", message: "Later.", httpStatus: 429, retryAfter: told)
            session.feed(.connectionFailed(attempt, busy))
            session.advance(.seconds(waited) - .nanoseconds(1))
            #expect(session.connection == attempt)
            session.advance(.nanoseconds(1))
            #expect(session.connection != attempt)
        }
        #expect(session.connect().states == [.active])
    }

    // MARK: - A12, calls

    @Test func anAnswerThatCalledAToolIsFollowedUpAndNotAskedForAnew() {
        var session = awake { $0.tools = [ToolFacts(name: "add", schema: [:])] }
        session.beginAnswer("r1")
        session.call("c1", "add", "{}", in: "r1")
        lose(&session)
        let back = session.connect()
        #expect(back.requests.isEmpty, "the model would call the tool again")
        let ended = session.feed(.toolReturned(callID: "c1", output: "added", isError: false))
        #expect(ended.outputs.map(\.callID) == ["c1"])
        #expect(ended.requests.count == 1)
        #expect(session.log.tools.count == 1)
    }

    @Test func aResultThatWasSentIntoALostConnectionIsSentAgainAndItsCallIsNotRunAgain() {
        var session = awake { $0.tools = [ToolFacts(name: "add", schema: [:])] }
        session.beginAnswer("r1")
        session.call("c1", "add", "{}", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.feed(.toolReturned(callID: "c1", output: "added", isError: false))
        lose(&session)
        let back = session.connect()
        #expect(back.outputs.map(\.callID) == ["c1"])
        #expect(back.requests.count == 1)
        session.grantRequest("r2")
        session.call("c1", "add", "{}", in: "r2")
        #expect(session.log.tools.count == 1)
        #expect(session.log.diagnostics.contains(.repeatedCall(callID: "c1")))
    }

    // MARK: - A17

    @Test func aResultThatWasTooBigIsReplacedByASentenceAboutThat() {
        var session = awake { $0.tools = [ToolFacts(name: "look", schema: [:])] }
        session.userSays("hi", item: "u1")
        session.beginAnswer("r1")
        session.call("c1", "look", "{}", in: "r1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        session.feed(.toolReturned(callID: "c1", output: String(repeating: "x", count: 60_000), isError: false))
        lose(&session, code: 1009)
        let back = session.connect()
        #expect(back.outputs.count == 1)
        #expect(back.outputs.first?.output.contains("too large for the provider") == true)
        #expect(back.requests.count == 1)
        session.feed(.connectionClosed(session.connection, closure(1009)))
        #expect(session.machine.state == .stopped, "once is forgiven")
    }

    @Test func aTypedTextThatWasTooBigFailsItsCallAndIsNotSentAgain() {
        var session = awake()
        let text = session.ask(.sendText(text: String(repeating: "x", count: 1000)))
        session.feed(.connectionClosed(session.connection, closure(1009)))
        guard case .failed(.providerError(code: "message_too_big", _))? = session.log.finished[text.id]?.first else {
            Issue.record("the call must fail")
            return
        }
        session.advance(.milliseconds(250))
        #expect(session.connect().createdItems.isEmpty)
    }

    @Test func whatTheProviderAcknowledgedWasNotTooBig() {
        var session = awake()
        session.ask(.sendText(text: String(repeating: "x", count: 1000)))
        let item = session.log.createdItems[0]
        session.server(.itemAdded(itemID: item.id, previousItemID: nil, kind: .userMessage))
        session.feed(.connectionClosed(session.connection, closure(1009)))
        session.advance(.milliseconds(250))
        #expect(session.connect().createdItems == [item])
    }

    @Test(arguments: [SessionOperation.say(text: ""), .sendText(text: "")])
    func aTextThatNoMessageCanHoldIsRefusedAtOnce(kind: SessionOperation) {
        let text = String(repeating: "x", count: 128 * 1024 + 1)
        var session = awake()
        let operation: SessionOperation = if case .say = kind { .say(text: text) } else { .sendText(text: text) }
        let call = session.ask(operation)
        guard case .failed(.providerError(code: "text_too_long", _))? = call.actions.finished[call.id]?.first else {
            Issue.record("the call must fail")
            return
        }
        #expect(call.actions.commands.isEmpty)
    }

    // MARK: - Ends

    @Test func aConnectionThatNeverTellsItsEndIsLetGo() {
        var session = awake()
        let id = session.connection
        let stop = session.ask(.stop)
        #expect(stop.actions.contains(.connection(.close(id))))
        let ended = session.advance(.milliseconds(2200))
        #expect(ended.contains(.connection(.abandon(id))))
        #expect(ended.finished[stop.id] == [.succeeded])
    }

    @Test func itemsWithoutWordsAreForgottenWithTheConnectionThatHadThem() {
        var session = awake()
        session.beginAnswer("r1", item: "x1")
        session.server(.answerDone(responseID: "r1", status: .completed))
        lose(&session)
        session.connect()
        // The new connection counts its items from the beginning.
        session.userSays("hello", item: "x1")
        #expect(session.machine.turns.map(\.words) == ["hello"])
    }
}
