import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// Field bugs A1–A6 through a whole session: in memory, and over a real WebSocket.
@Suite(.serialized) struct BargeInA1ToA6SessionTests {
    @Test(arguments: SessionHarness.Wire.allCases)
    func a1SpeechAfterTheAudioEndedCutsNothingBehindItsEndAndARefusalIsSurvived(
        _ wire: SessionHarness.Wire
    ) async throws {
        let harness = try SessionHarness.over(wire)
        let session = try await harness.awake()
        // All of it is played, though the answer itself is not done: the server may still be working on it.
        harness.speakAnswer("r1", item: "a1", transcript: "hello", milliseconds: 1000, finish: false)
        await harness.run(.seconds(3)) { harness.device.simulatedSpeaker.heard.count >= 24_000 }
        await harness.run(.milliseconds(700))
        harness.userSpeaks()
        await eventually("the cut is decided") { harness.cutIsDecided }
        for cut in harness.truncations { #expect(cut.audioEndMs <= 1000) }
        harness.connection?.say(.error(RealtimeErrorInfo(message: "Audio is shorter.", code: "invalid_value")))
        harness.connection?.say(.responseDone(RealtimeResponse(id: "r1", status: .cancelled, conversationId: "conv")))
        harness.userStops()
        let before = harness.device.simulatedSpeaker.heard.count
        harness.speakAnswer("r2", item: "a2", transcript: "again", milliseconds: 300)
        await harness.run(.seconds(2)) { harness.device.simulatedSpeaker.heard.count >= before + 7_200 }
        #expect(harness.device.simulatedSpeaker.heard.count == before + 7_200, "the next turn plays")
        #expect(session.state.current == .active)
        await harness.end(session)
    }

    @Test(arguments: SessionHarness.Wire.allCases, [true, false])
    func a2SpeechBeforeAnyAudioCancelsOnlyWhereTheServerDoesNotInterrupt(
        _ wire: SessionHarness.Wire, serverInterrupts: Bool
    ) async throws {
        let harness = try SessionHarness.over(wire)
        let session = try await harness.awake()
        if !serverInterrupts { harness.serverStopsInterrupting() }
        harness.beginAnswer("r1", item: "a1")
        harness.userSpeaks()
        await eventually("the unheard item is deleted") {
            harness.sent.contains { if case .conversationItemDelete = $0 { true } else { false } }
        }
        let cancels = harness.sent.filter { if case .responseCancel = $0 { true } else { false } }
        #expect(cancels.count == (serverInterrupts ? 0 : 1))
        #expect(harness.truncations.isEmpty)
        #expect(!harness.events.contains(.assistantAudioStarted))
        #expect(session.conversationHistory().isEmpty)
        await harness.end(session)
    }

    @Test(arguments: SessionHarness.Wire.allCases)
    func a3LateAudioOfACutAnswerIsNotHeardAndAllOfTheNextOneIs(_ wire: SessionHarness.Wire) async throws {
        let harness = try SessionHarness.over(wire)
        let session = try await harness.awake()
        harness.speakAnswer("r1", item: "a1", transcript: "one", milliseconds: 1000, finish: false)
        await harness.run(.seconds(2)) { harness.device.simulatedSpeaker.heard.count >= 9_600 }
        harness.userSpeaks()
        await eventually("the cut is decided") { harness.cutIsDecided }
        let first = harness.device.simulatedSpeaker.heard
        harness.userStops()
        harness.beginAnswer("r2", item: "a2")
        let next = PCMBlock.samples(littleEndian: SessionHarness.tone(milliseconds: 300))
        for round in 0..<5 {
            harness.sendAudio("r1", item: "a1", SessionHarness.tone(milliseconds: 100))
            guard round < 3 else { continue }
            let piece = Array(next[round * 2_400..<(round + 1) * 2_400])
            harness.sendAudio("r2", item: "a2", PCMBlock(samples: piece, sampleRate: 24_000).littleEndianBytes)
        }
        harness.finishAnswer("r2", item: "a2", transcript: "two")
        await harness.run(.seconds(3)) { harness.device.simulatedSpeaker.heard.count >= first.count + next.count }
        await harness.run(.milliseconds(300))
        #expect(harness.device.simulatedSpeaker.heard == first + next)
        await harness.end(session)
    }

    @Test(arguments: SessionHarness.Wire.allCases)
    func a4SpeechAfterAFinishedAnswerInterruptsNothing(_ wire: SessionHarness.Wire) async throws {
        let harness = try SessionHarness.over(wire)
        let session = try await harness.awake()
        harness.speakAnswer("r1", item: "a1", transcript: "All done.", milliseconds: 500)
        await harness.run(.seconds(3)) { harness.events.contains(.assistantAudioFinished) }
        await harness.run(.seconds(2))
        let before = session.conversationHistory()
        #expect(before.count == 1)
        harness.userSpeaks()
        harness.userStops()
        // Whatever the speech leads to has been sent before the answer that comes behind it is taken up.
        harness.speakAnswer("r2", item: "a2", transcript: "Yes.", milliseconds: 100)
        await harness.run(.seconds(2)) { harness.events.count { $0 == .assistantAudioFinished } == 2 }
        #expect(harness.truncations.isEmpty)
        #expect(!harness.sent.contains { if case .responseCancel = $0 { true } else { false } })
        #expect(session.conversationHistory().prefix(1) == before.prefix(1))
        await harness.end(session)
    }

    @Test(arguments: SessionHarness.Wire.allCases)
    func a5HistoryHoldsTheWordsThatWereHeardAndReplaysThoseAfterAReconnect(_ wire: SessionHarness.Wire) async throws {
        let harness = try SessionHarness.over(wire)
        let session = try await harness.awake()
        let words = "alfa beta gama delt epsi zeta etaa thet iota kapp"
        harness.speakAnswer("r1", item: "a1", transcript: words, milliseconds: 3000)
        await harness.run(.seconds(3)) { harness.device.simulatedSpeaker.heard.count >= 36_000 }
        harness.userSpeaks()
        await eventually("what was heard is settled") {
            if case .assistantText(let text, _)? = session.conversationHistory().last {
                text.hasSuffix(" …")
            } else {
                false
            }
        }
        guard case .assistantText(let text, _)? = session.conversationHistory().last else {
            Issue.record("the history is \(session.conversationHistory())")
            return
        }
        let heard = text.split(separator: " ").dropLast()
        #expect((4...6).contains(heard.count) && words.hasPrefix(heard.joined(separator: " ")), "\(text)")
        let old = try #require(harness.connection)
        harness.dropConnection()
        await harness.run(.seconds(2)) { harness.connection !== old && session.state.current == .active }
        let replayed = harness.sent.compactMap { event -> String? in
            guard case .conversationItemCreate(let creation) = event, case .message(let message) = creation.item.body,
                case .outputText(let text)? = message.content.first
            else { return nil }
            return text
        }
        #expect(replayed == [text])
        await harness.end(session)
    }

    @Test(arguments: SessionHarness.Wire.allCases)
    func a6CancellingNothingIsNoErrorOfTheUser(_ wire: SessionHarness.Wire) async throws {
        let harness = try SessionHarness.over(wire)
        let session = try await harness.awake()
        for _ in 0..<3 {
            await session.cancelSpeak()
            harness.connection?.say(
                .error(RealtimeErrorInfo(message: "No active response.", code: "response_cancel_not_active")))
        }
        harness.speakAnswer("r1", item: "a1", transcript: "Still here.", milliseconds: 100)
        await harness.run(.seconds(2)) { harness.events.contains(.assistantAudioFinished) }
        #expect(session.state.current == .active)
        #expect(!harness.events.contains { if case .error = $0 { true } else { false } })
        await harness.end(session)
    }
}
