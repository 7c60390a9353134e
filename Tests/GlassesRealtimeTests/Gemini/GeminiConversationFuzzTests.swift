import GlassesDomain
import SeededRandom
import Testing

@testable import GlassesRealtime

/// Invariant: whatever a client and a server send in whatever order, each answer begins and ends once, nothing of an answer comes
/// outside it, ids never repeat, and one answer is open at a time.
@Suite struct GeminiConversationFuzzTests {
    @Test(arguments: 0..<200)
    func anyOrderOfMessagesGivesWholeAnswers(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var talk = GeminiTalk()
        talk.apply(.opened)
        var watch = AnswerWatch()
        for _ in 0..<120 {
            if Bool.random(using: &random) {
                talk.say(Self.event(using: &random), id: "e")
            } else {
                talk.apply(.message(Self.message(using: &random)))
            }
            if talk.reconnects > watch.reconnects {
                watch.reconnects = talk.reconnects
                talk.apply(.opened)
            }
            for event in talk.events { watch.see(event) }
            talk.forget()
        }
        #expect(watch.problems.isEmpty, "seed \(seed)")
    }

    private static func event(using random: inout SeededGenerator) -> ClientEvent {
        var update = SessionUpdate()
        update.input.turnDetection = Bool.random(using: &random) ? .clear : .set(.serverVAD(ServerVAD()))
        let events: [ClientEvent] = [
            .sessionUpdate(update), .inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 6_000)),
            .inputAudioBufferCommit, .inputAudioBufferClear, .responseCreate(nil), .responseCancel(responseId: nil),
            .conversationItemCreate(ItemCreation(item: .userText("Hi"))),
            .conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c1", output: "x"))),
            .conversationItemDelete(itemId: "item_p_1"),
            .conversationItemTruncate(ItemTruncation(itemId: "item_p_2", audioEndMs: 1)),
        ]
        return events.randomElement(using: &random) ?? .inputAudioBufferClear
    }

    private static func message(using random: inout SeededGenerator) -> GeminiServerMessage {
        var content = GeminiServerContent()
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: return GeminiServerMessage(.setupComplete(sessionId: nil))
        case 2: return GeminiServerMessage(.sessionResumptionUpdate(handle: Bool.random(using: &random) ? "h" : nil))
        case 3: return GeminiServerMessage(.goAway(timeLeftMs: 1))
        case 4: return GeminiServerMessage(.toolCall([GeminiFunctionCall(id: "c1", name: "f", arguments: [:])]))
        case 5: return GeminiServerMessage(.toolCallCancellation(ids: ["c1"]))
        case 6: return GeminiServerMessage(.voiceActivity(GeminiVoiceActivity(isStart: Bool.random(using: &random))))
        case 7: return GeminiServerMessage(nil, usage: GeminiUsage())
        case 8: content.isInterrupted = true
        case 9: content.isGenerationComplete = true
        case 10, 11: content.isTurnComplete = true
        case 12: content.inputTranscription = GeminiTranscription(text: "w", isFinished: Bool.random(using: &random))
        case 13: content.outputTranscription = GeminiTranscription(text: "o")
        default: return .audio(.pcm([UInt8](repeating: 0, count: 960), rate: 24_000))
        }
        return GeminiServerMessage(.serverContent(content))
    }
}

/// Follows the answers of a conversation.
private struct AnswerWatch {
    var reconnects = 0
    private(set) var problems: [String] = []
    private var open: String?
    private var seen: Set<String> = []
    private var items: Set<String> = []

    mutating func see(_ event: ServerEvent) {
        switch event {
        case .responseCreated(let response):
            if open != nil { problems.append("an answer began inside another") }
            if !seen.insert(response.id).inserted { problems.append("an answer began twice") }
            open = response.id
        case .responseDone(let response):
            if open != response.id { problems.append("an answer ended that was not open") }
            open = nil
        case .responseOutputItemAdded(let item):
            check(item.responseId)
            if !items.insert(item.item.id ?? "").inserted { problems.append("an item came twice") }
        case .responseOutputItemDone(let item): check(item.responseId)
        case .responseOutputAudioDelta(let audio): check(audio.place.responseId)
        case .responseOutputAudioDone(let done): check(done.place.responseId)
        case .responseOutputAudioTranscriptDelta(let text), .responseOutputAudioTranscriptDone(let text):
            check(text.place.responseId)
        case .responseContentPartAdded(let part), .responseContentPartDone(let part): check(part.place.responseId)
        default: break
        }
    }

    private mutating func check(_ id: String) {
        if id != open { problems.append("something of an answer came outside it") }
    }
}
