@testable import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct VideoFrameTests {
    private let frame = SessionPicture(url: "data:image/jpeg;base64,AAAA")

    private func seeing() -> SessionHarness {
        var session = SessionHarness { $0.defaultModel = "gemini-3.1-flash-live-preview" }
        session.wakeUp()
        return session
    }

    /// Offers a frame; the item that was sent for it.
    @discardableResult
    private func offer(to session: inout SessionHarness, isTaken: Bool = true) -> ConversationItem? {
        let call = session.ask(.sendFrame)
        guard call.actions.pictures == [.prepare(call.id, .frame)] else { return nil }
        let sent = session.feed(.pictureReady(call.id, frame))
        #expect(sent.finished[call.id] == [.succeeded])
        guard let item = sent.createdItems.first else { return nil }
        if isTaken { session.server(.itemAdded(itemID: item.id, previousItemID: nil, kind: .userMessage)) }
        return item
    }

    @Test func aFrameIsSentWithLowDetailAndIsNoTurn() {
        var session = seeing()
        guard case .userPicture(_, frame, nil, .low)? = offer(to: &session) else {
            Issue.record("the frame was not sent")
            return
        }
        #expect(session.machine.turns.isEmpty)
    }

    @Test func oneFrameASecondIsSentAndTheRestIsDroppedAndCounted() {
        var session = seeing()
        var sent = 0
        for _ in 0..<45 {
            if offer(to: &session) != nil { sent += 1 }
            session.advance(.milliseconds(67))
        }
        #expect(sent == 3)
        #expect(session.log.diagnostics.contains(.framesDropped(total: 32)))
        #expect(session.machine.video.dropped == 42)
    }

    @Test func theProviderKeepsTheNewestTwoFrames() {
        var session = seeing()
        var items: [String] = []
        for _ in 0..<5 {
            items.append(offer(to: &session)?.id ?? "")
            session.advance(.seconds(1))
        }
        #expect(session.log.deletions == Array(items.prefix(3)))
        #expect(session.machine.history.entries.count == 2)
    }

    @Test func aProviderThatIsBehindGetsNoMoreFramesUntilItHasCaughtUp() {
        var session = seeing()
        for _ in 0..<2 {
            offer(to: &session, isTaken: false)
            session.advance(.seconds(1))
        }
        let dropped = offer(to: &session)
        #expect(dropped == nil)
        session.advance(.seconds(4))
        let later = offer(to: &session)
        #expect(later != nil)
    }

    @Test func framesAreNotReplayed() {
        var session = seeing()
        offer(to: &session)
        session.feed(
            .connectionClosed(
                session.connection, ConnectionClosure(code: "closed", message: "dropped", closeCode: 1006)))
        let early = session.ask(.sendFrame)
        #expect(early.actions.finished[early.id] == [.failed(.notReady)])
        session.advance(.seconds(1))
        let back = session.connect()
        #expect(back.createdItems.isEmpty)
    }

    @Test func aModelWithoutVideoIsToldOnceAndSoIsTheApp() {
        var session = SessionHarness { $0.defaultModel = "gpt-realtime" }
        session.wakeUp()
        for _ in 0..<3 {
            let call = session.ask(.sendFrame)
            #expect(call.actions.finished[call.id] == [.succeeded])
            #expect(call.actions.pictures.isEmpty)
        }
        let kinds = session.log.events.compactMap { if case .error(let kind, _) = $0 { kind } else { nil } }
        #expect(kinds == ["video_input_unsupported"])
        #expect(session.log.createdItems.map(\.words) == [SessionMachine.videoNote])
    }

    @Test(arguments: [[], [SessionOperation.start], [.start, .stop]]) func aFrameNeedsAnActiveSession(
        before: [SessionOperation]
    ) {
        var session = SessionHarness { $0.defaultModel = "gemini-3.1-flash-live" }
        for operation in before { session.ask(operation) }
        let call = session.ask(.sendFrame)
        #expect(call.actions.finished[call.id] == [.failed(.notReady)])
    }

    @Test func aDamagedFrameFailsItsCallAndNoEventComes() {
        var session = seeing()
        let call = session.ask(.sendFrame)
        let actions = session.feed(.pictureFailed(call.id, .undecodable))
        #expect(actions.events.isEmpty)
        let refusal = PictureRefusal.undecodable
        #expect(
            actions.finished[call.id] == [
                .failed(.providerError(code: refusal.code, message: refusal.message))
            ])
    }

    @Test func aProviderThatRefusesAFrameSeesNoVideo() {
        var session = seeing()
        offer(to: &session, isTaken: false)
        guard case .createItem(let eventID, _)? = session.log.commands.last else {
            Issue.record("not sent")
            return
        }
        let actions = session.server(.errorReported(code: "invalid_value", message: "No video.", eventID: eventID))
        #expect(actions.events == [.error(kind: "video_input_unsupported", message: "No video.")])
        #expect(actions.createdItems.map(\.words) == [SessionMachine.videoNote])
        session.advance(.seconds(2))
        let next = offer(to: &session)
        #expect(next == nil)
    }
}
