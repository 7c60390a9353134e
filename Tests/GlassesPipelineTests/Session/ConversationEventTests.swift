import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("Items of the conversation")
struct ConversationEventTests {
    @Test("items are placed at the end, at the root and behind others, and say what stands before them")
    func placement() {
        var rig = MachineRig()
        rig.create(.userText("b", id: "b"))
        rig.create(.userText("d", id: "d"))
        rig.create(.userText("a", id: "a"), after: "root")
        rig.create(.userText("c", id: "c"), after: "b")
        #expect(rig.machine.conversation.entries.map(\.id) == ["a", "b", "c", "d"])
        let previous = rig.sent.compactMap { event -> String?? in
            if case .conversationItemAdded(let placement) = event { placement.previousItemId } else { nil }
        }
        #expect(previous == [nil, "b", nil, "b"])
    }

    @Test("a replayed history is context, and only its last question waits for an answer")
    func replay() {
        var rig = MachineRig()
        rig.create(.userText("add milk"))
        rig.create(ConversationItem(body: .functionCall(FunctionCallItem(name: "add", arguments: "{}", callId: "c1"))))
        rig.create(.functionOutput(callId: "c1", output: "added"))
        rig.create(.assistantText("Milk is on the list."))
        rig.create(.userText("did you add it"))
        rig.client(.responseCreate(nil))
        #expect(rig.lastThought?.request.context.count == 5)
        #expect(rig.lastThought?.request.pending == [.user("did you add it")])
    }

    @Test("a truncated answer keeps the words that were heard, for the client and for the brain")
    func truncation() {
        var rig = MachineRig()
        rig.answerAloud("one two three four five six seven eight nine ten", ms: 4_800)
        let truncation = ItemTruncation(itemId: "item_1", audioEndMs: 1_400)
        #expect(rig.client(.conversationItemTruncate(truncation)) == ["conversation.item.truncated"])
        #expect(rig.sent.last == .conversationItemTruncated(truncation))
        #expect(rig.texts == ["one two three"])
        #expect(rig.client(.conversationItemRetrieve(itemId: "item_1")) == ["conversation.item.retrieved"])
        guard case .conversationItemRetrieved(let item) = rig.sent.last, case .message(let message) = item.body,
            case .outputAudio(let audio, let transcript) = message.content[0]
        else {
            Issue.record("no audio was retrieved")
            return
        }
        #expect(audio?.count == 1_400 * 48)
        #expect(transcript == "one two three")
    }

    @Test("an answer that is truncated while it is made stays truncated when it is cancelled")
    func truncationWhileSpeaking() {
        var rig = MachineRig()
        rig.client(.responseCreate(nil))
        rig.reply("one two three four five")
        guard let sentence = rig.lastSentence else { return }
        rig.apply(.audioSynthesized(sentence, Sound.silence(ms: 1_000)))
        #expect(
            rig.client(.conversationItemTruncate(ItemTruncation(itemId: "item_1", audioEndMs: 500)))
                == ["conversation.item.truncated"])
        rig.apply(.audioSynthesized(sentence, Sound.silence(ms: 1_000)))
        rig.client(.responseCancel(responseId: nil))
        // 23 characters are taken to last 1,380 ms while their audio is being made: 500 ms are 5 characters… of 2,000 ms.
        #expect(rig.texts == ["one"])
        #expect(rig.lastResponse?.statusDetails?.reason == .clientCancelled)
    }

    @Test("a deleted item is gone from the context, also while it is being spoken")
    func deletion() {
        var rig = MachineRig()
        rig.client(.responseCreate(nil))
        rig.reply("one two. three four.")
        #expect(rig.client(.conversationItemDelete(itemId: "item_1")) == ["conversation.item.deleted"])
        rig.synthesize(ms: 100)
        let end = rig.synthesize(ms: 100)
        #expect(!end.contains("conversation.item.done"))
        #expect(end.last == "response.done")
        #expect(rig.texts.isEmpty)
    }

    @Test("spoken audio in an item is recognised, and retrieved as it was")
    func audioItem() {
        var rig = MachineRig()
        let audio = PCMBlock(samples: Sound.speech(ms: 500), sampleRate: 24_000).littleEndianBytes
        let message = MessageItem(role: .user, content: [.inputAudio(audio: audio, transcript: nil)])
        rig.create(ConversationItem(id: "spoken", body: .message(message)))
        rig.client(.responseCreate(nil))
        rig.apply(.recognized(itemId: "spoken", RecognitionResult(text: "stop", confidence: 1)))
        #expect(rig.lastThought?.request.pending == [.user("stop")])
        rig.client(.conversationItemRetrieve(itemId: "spoken"))
        guard case .conversationItemRetrieved(let item) = rig.sent.last, case .message(let retrieved) = item.body else {
            Issue.record("nothing was retrieved")
            return
        }
        #expect(retrieved.content == [.inputAudio(audio: audio, transcript: nil)])
    }

    @Test("the oldest item leaves when there are more than a thousand, and the client is told")
    func eviction() {
        var rig = MachineRig()
        for index in 0..<1_000 { rig.create(.userText("x", id: "u\(index)")) }
        #expect(
            rig.create(.userText("y", id: "new"))
                == ["conversation.item.added", "conversation.item.done", "conversation.item.deleted"])
        #expect(rig.sent.last == .conversationItemDeleted(itemId: "u0"))
        #expect(rig.machine.conversation.entries.count == 1_000)
    }
}

extension MachineRig {
    @discardableResult
    mutating func create(_ item: ConversationItem, after previous: String? = nil) -> [String] {
        client(.conversationItemCreate(ItemCreation(item: item, previousItemId: previous)))
    }
}
