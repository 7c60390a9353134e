import GlassesAssistant
import GlassesDomain
import Testing

/// What a lost connection does to the user's speech.
@Suite struct LostSpeechTests {
    private func awake(_ configure: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHarness {
        var session = SessionHarness(configure)
        session.wakeUp()
        return session
    }

    private func lose(_ session: inout SessionHarness, code: UInt16 = 1006) -> [SessionAction] {
        let closure = ConnectionClosure(code: "dropped", message: "The link dropped.", closeCode: code)
        return session.feed(.connectionClosed(session.connection, closure))
    }

    /// Loses the connection, and answers what comes with the next one.
    private func replaceConnection(_ session: inout SessionHarness) -> [SessionAction] {
        _ = lose(&session)
        session.advance(.milliseconds(250))
        return session.connect()
    }

    @Test func anUtteranceIsKeptFromWhereTheProviderPlacesItsBeginning() {
        var session = awake()
        let begun = session.server(.speechStarted(itemID: "u1", startMs: 700))
        #expect(begun.microphone == [.keepUtterance(startMs: 700)])
        session.server(.speechStopped(itemID: "u1", endMs: 1900))
        let committed = session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil))
        #expect(committed.microphone == [.commitUtterance(itemID: "u1", endMs: 1900)])
        let known = session.server(.userTranscriptCompleted(itemID: "u1", text: "hi"))
        #expect(known.microphone == [.forgetUtterance(itemID: "u1")])
    }

    @Test func anUtteranceUnderWayIsSentAgainBeforeWhatFollows() {
        var session = awake()
        session.server(.speechStarted(itemID: "u1", startMs: 0))
        let back = replaceConnection(&session)
        #expect(back.microphone == [.startUplink(session.connection, resending: true)])
        #expect(back.createdItems.isEmpty)
    }

    @Test func anUtteranceWithoutWordsIsReplayedAsAudioInItsPlaceAndAnswered() {
        var session = awake()
        session.userSays("first", item: "u1")
        session.speakAnswer("r1", item: "a1", words: "Yes.", milliseconds: 200)
        session.playAll(segment("r1", "a1"), during: .milliseconds(200))
        session.server(.speechStarted(itemID: "u2"))
        session.server(.speechStopped(itemID: "u2"))
        session.server(.utteranceCommitted(itemID: "u2", previousItemID: "a1"))
        let back = replaceConnection(&session)
        #expect(
            back.createdItems == [
                .userText(id: "u1", text: "first"), .assistantText(id: "a1", text: "Yes."), .userAudio(id: "u2"),
            ])
        #expect(back.microphone == [.startUplink(session.connection)])
        #expect(back.requests.count == 1)
        session.server(.userTranscriptCompleted(itemID: "u2", text: "second"))
        #expect(session.machine.turns.map(\.words) == ["first", "Yes.", "second"])
    }

    @Test func aProviderThatIsSlowToRecogniseStillOwesTheAnswer() {
        var session = awake()
        session.server(.speechStarted(itemID: "u1"))
        session.server(.speechStopped(itemID: "u1"))
        session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil))
        session.advance(.seconds(20))
        let back = replaceConnection(&session)
        #expect(back.createdItems == [.userAudio(id: "u1")])
        #expect(back.requests.count == 1)
    }

    @Test(arguments: [true, false]) func wordsThatAreKnownOrNeverWillBeNeedNoAudio(areKnown: Bool) {
        var session = awake()
        session.server(.speechStarted(itemID: "u1"))
        session.server(.speechStopped(itemID: "u1"))
        session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil))
        session.server(
            areKnown
                ? .userTranscriptCompleted(itemID: "u1", text: "hi") : .userTranscriptFailed(itemID: "u1", code: "x"))
        let back = replaceConnection(&session)
        #expect(back.createdItems == (areKnown ? [.userText(id: "u1", text: "hi")] : []))
    }

    @Test func noMoreThanFourUtterancesWithoutWordsAreKept() {
        var session = awake()
        for number in 1...5 {
            session.server(.speechStarted(itemID: "u\(number)"))
            session.server(.utteranceCommitted(itemID: "u\(number)", previousItemID: nil))
        }
        #expect(session.log.microphone.contains(.forgetUtterance(itemID: "u1")))
        #expect(replaceConnection(&session).createdItems == (2...5).map { .userAudio(id: "u\($0)") })
    }

    @Test func aLostAnswerWaitsForTheResentUtteranceAndThenForTheProvidersAnswerToIt() {
        var session = awake { $0.tools = [ToolFacts(name: "a", schema: [:])] }
        session.ask(.sendText(text: "hello"))
        session.server(.speechStarted(itemID: "u1"))
        let back = replaceConnection(&session)
        #expect(back.requests.isEmpty)
        session.server(.speechStarted(itemID: "u2"))
        session.server(.speechStopped(itemID: "u2"))
        session.server(.utteranceCommitted(itemID: "u2", previousItemID: nil))
        let answered = session.server(.answerCreated(responseID: "r1", metadata: [:], isOutOfBand: false))
        #expect(answered.requests.isEmpty)
        #expect(session.server(.answerDone(responseID: "r1", status: .completed)).requests.isEmpty)
    }

    @Test func aResentUtteranceThatHoldsNoSpeechIsForgottenAndTheLostAnswerAskedFor() {
        var session = awake()
        session.userSays("tell me", item: "u1")
        session.beginAnswer("r1", item: "a1")
        _ = lose(&session)
        #expect(session.feed(.speechNoticed).microphone == [.keepUtterance(startMs: nil)])
        session.advance(.milliseconds(250))
        let back = session.connect()
        #expect(back.microphone == [.startUplink(session.connection, resending: true)])
        #expect(back.requests.isEmpty)
        let late = session.advance(.seconds(5))
        #expect(late.microphone == [.forgetUtterance(itemID: nil)])
        #expect(late.requests.count == 1)
    }

    @Test func speechIsNoticedOnlyWhileAConnectionIsBeingReplaced() {
        var session = awake()
        #expect(session.feed(.speechNoticed).isEmpty)
        session.feed(.microphoneGateClosed)
        _ = lose(&session)
        #expect(session.feed(.speechNoticed).isEmpty)
    }

    @Test(arguments: [SessionInput.microphoneGateClosed, .deviceLost(.dropped)])
    func aMicrophoneThatClosesTakesTheKeptSpeechWithIt(cause: SessionInput) {
        var session = awake()
        session.server(.speechStarted(itemID: "u1"))
        session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil))
        session.server(.speechStarted(itemID: "u2"))
        session.feed(cause)
        session.feed(.microphoneGateOpened)
        session.feed(.deviceReturned)
        let back = replaceConnection(&session)
        #expect(back.createdItems.isEmpty)
        #expect(back.microphone == [.startUplink(session.connection)])
    }

    @Test func anUtteranceThatNeverBecomesAnItemIsForgotten() {
        var session = awake()
        session.server(.speechStarted(itemID: "u1"))
        session.server(.speechStopped(itemID: "u1"))
        #expect(session.advance(.seconds(5)).microphone == [.forgetUtterance(itemID: nil)])
        #expect(replaceConnection(&session).microphone == [.startUplink(session.connection)])
    }
}

extension Turn {
    /// The turn's words, arguments or output.
    var words: String {
        switch self {
        case .userText(let text, _), .assistantText(let text, _): text
        case .toolInvocation(_, _, let arguments, _): arguments
        case .toolReturn(_, let output, _): output
        }
    }
}
