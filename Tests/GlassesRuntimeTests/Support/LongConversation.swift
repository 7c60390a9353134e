import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// A conversation of more than an hour on the manual clock: turns whose words and sound are counted on both sides.
final class LongConversation {
    let harness: SessionHarness
    let provider: LimitedProvider
    private(set) var session: (any AssistantSession)?
    /// What was said: role and words.
    private(set) var said: [String] = []
    private var turns = 0
    private var answeredMs = 0
    private var spoken: (item: String, connection: ScriptedConnection)?

    init(
        announced: Duration = .seconds(3_600), life: Duration? = nil, allowsSecond: Bool = true,
        server: ScriptedGateway? = nil
    ) async throws {
        let clock = ManualClock()
        provider = LimitedProvider(
            clock: clock, announced: announced, life: life, allowsSecond: allowsSecond, server: server)
        harness = SessionHarness(provider: provider.script, clock: clock, connector: provider.connector)
        session = try await harness.awake { $0.silenceTimeout = nil }
    }

    var now: Duration { MonotonicTime.zero.duration(to: harness.clock.now) }
    var reconnects: [AssistantEvent] {
        harness.events.filter { if case .reconnected = $0 { true } else { false } }
    }

    /// Lets time pass, with the microphone open in a quiet room.
    func pass(_ duration: Duration, step: Duration, until condition: () -> Bool = { false }) async {
        let end = now + duration
        while now < end, !condition() {
            harness.clock.advance(by: min(step, end - now))
            harness.device.simulatedMicrophone.hear([Int16](repeating: 0, count: 320))
            await work(moments: 4)
            // A reconnect takes no time of this clock, however busy the machine is.
            for _ in 0..<200 where session?.state.current == .reconnecting { await work(moments: 1) }
        }
    }

    private func work(moments: Int) async {
        for _ in 0..<moments {
            await pause()
            provider.settle()
        }
    }

    /// Waits in a quiet room until this moment of the conversation.
    func pass(until moment: Duration) async { await pass(moment - now, step: .seconds(2)) }

    /// The user begins to speak, by the word of the provider that hears it.
    func userBegins() {
        turns += 1
        guard let connection = provider.inUse else { return }
        spoken = ("user_\(turns)", connection)
        connection.say(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: "user_\(turns)", audioStartMs: 0)))
    }

    /// The user ends. A connection that the utterance was sent to anew has heard it from its beginning.
    func userEnds() async {
        // What was said is sent again before the session says another word on a new connection.
        await pass(.seconds(20), step: .milliseconds(100)) { (provider.inUse?.appendedBytes ?? 0) > 0 }
        guard let connection = provider.inUse, let spoken else { return }
        let item = "user_\(turns)"
        if connection !== spoken.connection {
            #expect(connection.appendedBytes > 0)
            connection.say(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: item, audioStartMs: 0)))
        }
        connection.say(.inputAudioBufferSpeechStopped(SpeechStopped(itemId: item, audioEndMs: 500)))
        connection.say(.inputAudioBufferCommitted(BufferCommitted(itemId: item, previousItemId: nil)))
        connection.say(
            .inputAudioTranscriptionCompleted(
                TranscriptionCompleted(
                    itemId: item, transcript: "question \(turns)", usage: .duration(seconds: 1))))
        said.append("user question \(turns)")
    }

    /// The assistant answers, to the last sample.
    func answer(milliseconds: Int = 1_000) async {
        guard let connection = provider.inUse else { return }
        let (response, item, words) = ("r\(turns)", "a\(turns)", "This is answer \(turns).")
        connection.say(.responseCreated(RealtimeResponse(id: response, status: .inProgress, conversationId: "conv")))
        let message = ConversationItem(
            id: item, status: .inProgress, body: .message(MessageItem(role: .assistant, content: [])))
        connection.say(.responseOutputItemAdded(OutputItem(responseId: response, item: message)))
        connection.say(.conversationItemAdded(ItemPlacement(item: message, previousItemId: nil)))
        let place = PartReference(responseId: response, itemId: item)
        connection.say(.responseOutputAudioTranscriptDelta(OutputText(place: place, text: words)))
        connection.say(
            .responseOutputAudioDelta(
                OutputAudio(place: place, audio: SessionHarness.tone(milliseconds: milliseconds))))
        connection.say(.responseOutputAudioDone(OutputAudioDone(place: place)))
        connection.say(.responseOutputAudioTranscriptDone(OutputText(place: place, text: words)))
        connection.say(.responseDone(RealtimeResponse(id: response, status: .completed, conversationId: "conv")))
        said.append("assistant \(words)")
        answeredMs += milliseconds
        // Counted from the beginning: the end of the answer before may still be on its way to this test.
        let finished = said.count { $0.hasPrefix("assistant ") }
        await pass(.seconds(20), step: .milliseconds(50)) { finishedCount >= finished }
    }

    private var finishedCount: Int { harness.events.count { $0 == .assistantAudioFinished } }

    /// One question and its answer.
    func turn(speaking: Duration = .seconds(2)) async {
        userBegins()
        await pass(speaking, step: .milliseconds(500))
        await userEnds()
        await answer()
    }

    /// The history is what was said, and every sample of every answer was heard once.
    func checkHistory() async throws {
        let session = try #require(session)
        await eventually("the history is published") { session.conversationHistory().count == said.count }
        let kept = session.conversationHistory().map { turn in
            switch turn {
            case .userText(let text, _): "user \(text)"
            case .assistantText(let text, _): "assistant \(text)"
            case .toolInvocation(let name, _, _, _): "call \(name)"
            case .toolReturn(_, let output, _): "output \(output)"
            }
        }
        #expect(kept == said)
        #expect(harness.device.simulatedSpeaker.heard.count == answeredMs * 24)
        #expect(session.state.current == .active)
        await session.stop()
    }
}
