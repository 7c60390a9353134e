@testable import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct PictureTests {
    private static let dropped = ConnectionClosure(code: "closed", message: "dropped", closeCode: 1006)

    private func picture(_ name: String) -> SessionPicture { SessionPicture(url: "data:image/jpeg;base64,\(name)") }

    /// Shows a picture that is ready at once; the id of the call.
    @discardableResult
    private func show(_ name: String, prompt: String? = nil, in session: inout SessionHarness) -> OperationID {
        let call = session.ask(.includePicture(prompt: prompt))
        session.feed(.pictureReady(call.id, picture(name)))
        return call.id
    }

    private func acknowledge(_ actions: [SessionAction], in session: inout SessionHarness) {
        for item in actions.createdItems {
            session.server(.itemAdded(itemID: item.id, previousItemID: nil, kind: .userMessage))
        }
    }

    @Test func aPictureIsMadeReadyThenSentWithItsPromptAndTheCallEndsWhenTheProviderHasIt() {
        var session = SessionHarness()
        session.wakeUp()
        let call = session.ask(.includePicture(prompt: "  What is it? "))
        #expect(call.actions.pictures == [.prepare(call.id, .still)])
        #expect(call.actions.commands.isEmpty)
        let sent = session.feed(.pictureReady(call.id, picture("1")))
        guard case .userPicture(let id, picture("1"), "What is it?", .auto)? = sent.createdItems.first else {
            Issue.record("not sent: \(sent)")
            return
        }
        #expect(sent.finished.isEmpty)
        #expect(sent.requests.isEmpty)
        let taken = session.server(.itemAdded(itemID: id, previousItemID: nil, kind: .userMessage))
        #expect(taken.finished[call.id] == [.succeeded])
        #expect(session.machine.turns.map(\.text) == ["[picture of 00:00 UTC] What is it?"])
    }

    @Test(
        arguments: [
            ([], SessionFailure.notReady), ([.start], .notReady), ([.start, .stop], .sessionEnded),
        ] as [([SessionOperation], SessionFailure)])
    func aPictureNeedsASessionThatIsAwake(before: [SessionOperation], failure: SessionFailure) {
        var session = SessionHarness()
        for operation in before { session.ask(operation) }
        let call = session.ask(.includePicture(prompt: nil))
        #expect(call.actions.finished[call.id] == [.failed(failure)])
        #expect(call.actions.pictures.isEmpty)
    }

    @Test func aThirdPictureTakesThePlaceOfTheFirst() {
        var session = SessionHarness()
        session.wakeUp()
        for name in ["1", "2"] {
            let call = session.ask(.includePicture(prompt: nil))
            acknowledge(session.feed(.pictureReady(call.id, picture(name))), in: &session)
        }
        let first = session.log.createdItems.first?.id ?? ""
        let call = session.ask(.includePicture(prompt: nil))
        let actions = session.feed(.pictureReady(call.id, picture("3")))
        #expect(actions.deletions == [first])
        guard case .insertItem(_, .systemText(_, "[picture of 00:00 UTC, left out]"), first)? = actions.insertions.first
        else {
            Issue.record("no words for the first picture: \(actions.commands)")
            return
        }
    }

    @Test func aHundredPicturesLeaveTwoInMemory() {
        var session = SessionHarness()
        session.wakeUp()
        for number in 1...100 {
            let call = session.ask(.includePicture(prompt: nil))
            acknowledge(session.feed(.pictureReady(call.id, picture("\(number)"))), in: &session)
        }
        let kept = session.machine.history.entries.compactMap { entry -> SessionPicture? in
            if case .picture(let picture, _, _) = entry.content { picture } else { nil }
        }
        #expect(kept == [picture("99"), picture("100")])
        #expect(session.machine.calls.isEmpty)
        #expect(session.machine.turns.count == 100)
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.seconds(1))
        let back = session.connect()
        let again = back.createdItems.filter { if case .userPicture = $0 { true } else { false } }
        #expect(again.count == 2)
    }

    @Test func aPictureShownWhileReconnectingIsSentOnceWithTheReplay() {
        var session = SessionHarness()
        session.wakeUp()
        session.feed(.connectionClosed(session.connection, Self.dropped))
        let id = show("1", in: &session)
        #expect(session.log.createdItems.isEmpty)
        session.advance(.seconds(1))
        let back = session.connect()
        #expect(back.createdItems.map(\.picture) == [picture("1")])
        #expect(back.finished[id] == [.succeeded])
        #expect(session.log.createdItems.count == 1)
    }

    @Test func aPictureThatIsReadyWhileTheReplayRunsIsSentOnceBehindIt() {
        var session = SessionHarness()
        session.wakeUp()
        session.ask(.sendText(text: "hello"))
        session.feed(.connectionClosed(session.connection, Self.dropped))
        let call = session.ask(.includePicture(prompt: nil))
        session.advance(.seconds(1))
        session.feed(.connectionOpened(session.connection))
        let replay = session.server(.sessionUpdated(ServerSessionFacts()))
        session.feed(.pictureReady(call.id, picture("1")))
        let done = session.server(
            .itemAdded(itemID: replay.createdItems[0].id, previousItemID: nil, kind: .userMessage))
        #expect(done.createdItems.map(\.picture) == [picture("1")])
        #expect(session.log.createdItems.count { $0.picture != nil } == 1)
    }

    @Test(arguments: [SessionOperation.stop, .sleep]) func theEndOfTheSessionEndsACallThatIsBeingMadeReady(
        operation: SessionOperation
    ) {
        var session = SessionHarness()
        session.wakeUp()
        let call = session.ask(.includePicture(prompt: nil))
        let end = session.ask(operation).actions
        let failure: SessionFailure = operation == .stop ? .sessionEnded : .notReady
        #expect(end.finished[call.id] == [.failed(failure)])
        #expect(end.pictures == [.abandon(call.id)])
        let late = session.feed(.pictureReady(call.id, picture("1")))
        #expect(late.isEmpty)
    }

    @Test func aPictureThatNobodyDeliversEndsItsCall() {
        var session = SessionHarness { $0.silenceTimeout = nil }
        session.wakeUp()
        let call = session.ask(.includePicture(prompt: nil))
        let late = session.advance(.seconds(60))
        #expect(late.pictures == [.abandon(call.id)])
        guard case .failed(.networkError)? = late.finished[call.id]?.first else {
            Issue.record("the call did not end: \(late)")
            return
        }
    }

    @Test func aPictureThatCannotBeReadFailsItsCallAndIsAnEvent() {
        var session = SessionHarness()
        session.wakeUp()
        let call = session.ask(.includePicture(prompt: nil))
        let actions = session.feed(.pictureFailed(call.id, .unsupportedURI("There is no such file.")))
        let kind = "include_image_unsupported_uri"
        #expect(actions.events == [.error(kind: kind, message: "There is no such file.")])
        #expect(
            actions.finished[call.id] == [.failed(.providerError(code: kind, message: "There is no such file."))])
        #expect(actions.commands.isEmpty)
        #expect(session.machine.calls.isEmpty)
    }

    @Test func theProvidersRefusalFailsTheCallAndThePictureIsNotReplayed() {
        var session = SessionHarness()
        session.wakeUp()
        let id = show("1", in: &session)
        guard case .createItem(let eventID, _)? = session.log.commands.last else {
            Issue.record("not sent")
            return
        }
        let actions = session.server(.errorReported(code: "invalid_value", message: "No pictures.", eventID: eventID))
        #expect(actions.finished[id] == [.failed(.providerError(code: "invalid_value", message: "No pictures."))])
        session.feed(.connectionClosed(session.connection, Self.dropped))
        session.advance(.seconds(1))
        let back = session.connect()
        #expect(!back.createdItems.contains { $0.picture != nil })
    }

    /// Field bug A17.
    @Test func whatWasTooBigForTheProviderIsNeverSentAgainAndTheCallSaysSo() {
        var session = SessionHarness()
        session.wakeUp()
        let id = show(String(repeating: "x", count: 400_000), in: &session)
        let closure = ConnectionClosure(code: "closed", message: "Message too big.", closeCode: 1009)
        let lost = session.feed(.connectionClosed(session.connection, closure))
        guard case .failed(.providerError("message_too_big", let message))? = lost.finished[id]?.first else {
            Issue.record("the call did not fail: \(lost)")
            return
        }
        #expect(message.hasPrefix("The picture was too large"))
        session.advance(.seconds(1))
        let back = session.connect()
        #expect(
            back.createdItems.map(\.words) == ["[picture of 00:00 UTC, which the provider did not take]"])
        #expect(session.machine.state == .active)
    }

    @Test func anAppOnThisMachineIsToldOnceThatItsModelSeesNothingAndThePictureIsSent() {
        var session = SessionHarness { $0.pictures = .measured }
        session.wakeUp()
        for _ in 0..<3 { show("1", in: &session) }
        let kinds = session.log.events.compactMap { if case .error(let kind, _) = $0 { kind } else { nil } }
        #expect(kinds == ["vision_unsupported"])
        #expect(session.log.createdItems.count == 3)
    }

    @Test func aPromptThatIsTooLongIsRefusedBeforeThePictureIsRead() {
        var session = SessionHarness()
        session.wakeUp()
        let call = session.ask(.includePicture(prompt: String(repeating: "x", count: 64 << 10 + 1)))
        #expect(call.actions.pictures.isEmpty)
        guard case .failed(.providerError("text_too_long", _))? = call.actions.finished[call.id]?.first else {
            Issue.record("not refused: \(call.actions)")
            return
        }
    }
}

extension Array where Element == SessionAction {
    var pictures: [PictureAction] { compactMap { if case .picture(let action) = $0 { action } else { nil } } }
    var insertions: [SessionCommand] {
        commands.filter { if case .insertItem = $0 { true } else { false } }
    }
}

extension ConversationItem {
    var picture: SessionPicture? { if case .userPicture(_, let picture, _, _) = self { picture } else { nil } }
    var words: String? {
        switch self {
        case .userText(_, let text), .systemText(_, let text), .assistantText(_, let text): text
        case .userPicture(_, _, let prompt, _): prompt
        case .userAudio, .functionCall, .functionCallOutput: nil
        }
    }
}
