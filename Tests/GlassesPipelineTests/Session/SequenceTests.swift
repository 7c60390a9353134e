import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("The event sequences of the protocol")
struct SequenceTests {
    @Test("opening a session announces it with the whole configuration")
    func opening() {
        var rig = MachineRig()
        #expect(rig.apply(.opened) == ["session.created"])
        guard case .sessionCreated(let session) = rig.sent[0] else { return }
        #expect(session.model == "local")
        #expect(session.output.voice == "slt")
        #expect(session.input.turnDetection == .serverVAD(ServerVAD()))
    }

    @Test("a text turn in a text session is written as one message")
    func textTurn() {
        var rig = MachineRig()
        rig.update { $0.outputModalities = [.text] }
        let added = rig.client(.conversationItemCreate(ItemCreation(item: .userText("what time is it"))))
        #expect(added == ["conversation.item.added", "conversation.item.done"])
        #expect(rig.client(.responseCreate(nil)) == ["response.created"])
        let answer = rig.reply("It is five. Good evening.")
        #expect(
            answer == [
                "response.output_item.added", "conversation.item.added", "response.content_part.added",
                "response.output_text.delta", "response.output_text.delta", "response.output_text.done",
                "response.content_part.done", "conversation.item.done", "response.output_item.done", "response.done",
            ])
        #expect(rig.lastResponse?.status == .completed)
    }

    @Test("a voice turn is answered by itself, each sentence's transcript before its audio")
    func voiceTurn() {
        var rig = MachineRig()
        rig.update { $0.input.transcription = .set(Transcription(model: "any")) }
        #expect(rig.hear(Sound.silence(ms: 400)) == [])
        #expect(rig.hear(Sound.speech(ms: 800)) == ["input_audio_buffer.speech_started"])
        let stopped = rig.hear(Sound.silence(ms: 900))
        #expect(
            stopped == [
                "input_audio_buffer.speech_stopped", "input_audio_buffer.committed", "conversation.item.added",
                "conversation.item.done",
            ])
        let item = rig.lastCommitted ?? ""
        let understood = rig.apply(.recognized(itemId: item, RecognitionResult(text: "hello", confidence: 1)))
        #expect(understood == ["conversation.item.input_audio_transcription.completed", "response.created"])
        let begun = rig.reply("Hello there. How are you?")
        #expect(
            begun == [
                "response.output_item.added", "conversation.item.added", "response.content_part.added",
                "response.output_audio_transcript.delta",
            ])
        let first = rig.synthesize(ms: 500)
        #expect(
            first == Array(repeating: "response.output_audio.delta", count: 3)
                + ["response.output_audio_transcript.delta"])
        let last = rig.synthesize(ms: 200)
        #expect(
            last == [
                "response.output_audio.delta", "response.output_audio.done", "response.output_audio_transcript.done",
                "response.content_part.done", "conversation.item.done", "response.output_item.done", "response.done",
            ])
        #expect(rig.spokenTexts == ["Hello there.", "How are you?"])
        #expect(rig.audioMs == 700)
    }

    @Test("speech over an answer ends it as cancelled by the turn, with what was said so far")
    func bargeIn() {
        var rig = MachineRig()
        let item = rig.speak()
        rig.apply(.recognized(itemId: item, RecognitionResult(text: "hello", confidence: 1)))
        rig.reply("One. Two.")
        rig.synthesize(ms: 400)
        let cut = rig.hear(Sound.speech(ms: 400))
        #expect(
            cut == [
                "input_audio_buffer.speech_started", "response.output_audio.done",
                "response.output_audio_transcript.done", "response.content_part.done", "conversation.item.done",
                "response.output_item.done", "response.done",
            ])
        #expect(rig.lastResponse?.status == .cancelled)
        #expect(rig.lastResponse?.statusDetails?.reason == .turnDetected)
        #expect(rig.lastResponse?.output.first?.status == .incomplete)
        // The second sentence had no sound yet.
        #expect(rig.texts == ["hello", "One."])
        let late = rig.lastSentence.map { rig.apply(.audioSynthesized($0, Sound.silence(ms: 100))) }
        #expect(late == [])
    }

    @Test("with interrupt_response off the answer goes on under the user's speech")
    func noBargeIn() {
        var rig = MachineRig()
        rig.update { $0.input.turnDetection = .set(.serverVAD(ServerVAD(interruptResponse: false))) }
        let item = rig.speak()
        rig.apply(.recognized(itemId: item, RecognitionResult(text: "hello", confidence: 1)))
        rig.reply("One. Two.")
        #expect(rig.hear(Sound.speech(ms: 400)) == ["input_audio_buffer.speech_started"])
        rig.synthesize(ms: 400)
        rig.synthesize(ms: 400)
        #expect(rig.lastResponse?.status == .completed)
    }

    @Test("push to talk commits on demand and answers on demand")
    func pushToTalk() {
        var rig = MachineRig()
        #expect(rig.update { $0.input.turnDetection = .clear } == ["session.updated"])
        #expect(rig.hear(Sound.speech(ms: 600)) == [])
        #expect(
            rig.client(.inputAudioBufferCommit) == [
                "input_audio_buffer.committed", "conversation.item.added", "conversation.item.done",
            ])
        #expect(rig.client(.responseCreate(nil)) == ["response.created"])
        #expect(rig.lastThought == nil)
        let item = rig.lastCommitted ?? ""
        rig.apply(.recognized(itemId: item, RecognitionResult(text: "take a picture", confidence: 1)))
        #expect(rig.lastThought?.request.pending == [.user("take a picture")])
    }

    @Test("tool calls are announced in progress, completed with arguments, and numbered")
    func toolCalls() {
        var rig = MachineRig()
        rig.client(.conversationItemCreate(ItemCreation(item: .userText("photo and timer"))))
        rig.client(.responseCreate(nil))
        let calls = rig.reply(calls: [
            BrainFunctionCall(name: "take_picture", arguments: "{}"),
            BrainFunctionCall(name: "set_timer", arguments: #"{"minutes":5}"#),
        ])
        let one = [
            "response.output_item.added", "conversation.item.added", "response.function_call_arguments.delta",
            "response.function_call_arguments.done", "conversation.item.done", "response.output_item.done",
        ]
        #expect(calls == one + one + ["response.done"])
        let added = rig.sent.compactMap { if case .responseOutputItemAdded(let item) = $0 { item } else { nil } }
        #expect(added.map(\.outputIndex) == [0, 1])
        #expect(added.map(\.item.status) == [.inProgress, .inProgress])
        #expect(rig.lastResponse?.output.map(\.status) == [.completed, .completed])
    }

    @Test("results come back through the brain, one after another when the client does not batch them")
    func toolResults() {
        var rig = MachineRig()
        rig.client(.conversationItemCreate(ItemCreation(item: .userText("photo and timer"))))
        rig.client(.responseCreate(nil))
        rig.reply(calls: [
            BrainFunctionCall(name: "take_picture", arguments: "{}"),
            BrainFunctionCall(name: "set_timer", arguments: "{}"),
        ])
        rig.client(.conversationItemCreate(ItemCreation(item: .functionOutput(callId: "call_1", output: "done"))))
        rig.client(.responseCreate(nil))
        #expect(
            rig.lastThought?.request.pending == [.result(callId: "call_1", name: "take_picture", output: "done")])
        rig.client(.conversationItemCreate(ItemCreation(item: .functionOutput(callId: "call_2", output: "set"))))
        rig.reply("Done.")
        rig.synthesize(ms: 300)
        rig.client(.responseCreate(nil))
        #expect(rig.lastThought?.request.pending == [.result(callId: "call_2", name: "set_timer", output: "set")])
    }

    @Test("an out-of-band response leaves the conversation alone and echoes its metadata")
    func outOfBand() {
        var rig = MachineRig()
        var parameters = ResponseParameters()
        parameters.conversation = ResponseParameters.Conversation.none
        parameters.input = [.userText("classify this")]
        parameters.metadata = ["topic": "classification"]
        parameters.outputModalities = [.text]
        rig.client(.responseCreate(parameters))
        let answer = rig.reply("news")
        #expect(!answer.contains { $0.hasPrefix("conversation.") })
        #expect(rig.lastResponse?.metadata == ["topic": "classification"])
        #expect(rig.lastResponse?.conversationId == nil)
        #expect(rig.machine.conversation.entries.isEmpty)
    }

    @Test("say reads exactly its text without asking the brain")
    func say() {
        var rig = MachineRig()
        var parameters = ResponseParameters()
        parameters.conversation = ResponseParameters.Conversation.none
        parameters.input = [.userText("Battery at 15 %.")]
        parameters.metadata = ["extentos_say": "1"]
        #expect(rig.client(.responseCreate(parameters)).first == "response.created")
        #expect(rig.lastThought == nil)
        #expect(rig.spokenTexts == ["Battery at 15 %."])
        rig.synthesize(ms: 100)
        #expect(rig.lastResponse?.status == .completed)
    }
}

extension MachineRig {
    /// The length that the last spoken message is said to have.
    var audioMs: Int? {
        sent.reversed().lazy.compactMap {
            if case .responseOutputAudioDone(let done) = $0 { done.audioMs } else { nil }
        }
        .first
    }
}
