import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("Spoken turns")
struct TurnTests {
    private static let words = RecognitionResult(text: "what time is it", confidence: 1)
    private static let noise = RecognitionResult(text: "", confidence: 0)

    @Test("a noise without words is deleted again and not answered")
    func noise() {
        var rig = MachineRig()
        rig.update { $0.input.transcription = .set(Transcription(model: "any")) }
        let item = rig.speak()
        #expect(
            rig.apply(.recognized(itemId: item, Self.noise)) == [
                "conversation.item.input_audio_transcription.completed", "conversation.item.deleted",
            ])
        #expect(rig.machine.conversation.entries.isEmpty)
        #expect(rig.machine.responses.isEmpty)
    }

    @Test("a question that a noise interrupts before its answer is answered after the noise")
    func noiseAfterQuestion() {
        var rig = MachineRig()
        let question = rig.speak()
        rig.apply(.recognized(itemId: question, Self.words))
        let noise = rig.speak()
        #expect(rig.lastResponse?.status == .cancelled)
        #expect(
            rig.apply(.recognized(itemId: noise, Self.noise)) == ["conversation.item.deleted", "response.created"])
        #expect(rig.lastThought?.request.pending == [.user("what time is it")])
    }

    @Test("two turns in quick succession are answered together")
    func twoTurns() {
        var rig = MachineRig()
        let first = rig.speak()
        let second = rig.speak()
        #expect(rig.apply(.recognized(itemId: first, Self.words)) == [])
        #expect(rig.apply(.recognized(itemId: second, Self.words)) == ["response.created"])
        #expect(rig.lastThought?.request.pending.count == 2)
    }

    @Test("a turn under an answer that may not be interrupted is answered after it")
    func turnUnderAnswer() {
        var rig = MachineRig()
        rig.update { $0.input.turnDetection = .set(.serverVAD(ServerVAD(interruptResponse: false))) }
        rig.client(.responseCreate(nil))
        rig.reply("One.")
        let item = rig.speak()
        #expect(rig.apply(.recognized(itemId: item, Self.words)) == [])
        #expect(rig.synthesize(ms: 100).suffix(2) == ["response.done", "response.created"])
    }

    @Test("with create_response off the turn waits for the client")
    func clientDriven() {
        var rig = MachineRig()
        rig.update { $0.input.turnDetection = .set(.serverVAD(ServerVAD(createResponse: false))) }
        let item = rig.speak()
        #expect(rig.apply(.recognized(itemId: item, Self.words)) == [])
        #expect(rig.client(.responseCreate(nil)) == ["response.created"])
        #expect(rig.lastThought?.request.pending == [.user("what time is it")])
    }

    @Test("transcription events are sent only if the session asks for them, and words are understood anyway")
    func transcriptionOff() {
        var rig = MachineRig()
        let item = rig.speak()
        #expect(rig.apply(.recognized(itemId: item, Self.words)) == ["response.created"])
        #expect(rig.lastThought?.request.pending == [.user("what time is it")])
    }

    @Test("a failed recognition fails its answer, and tells the transcription too", arguments: [true, false])
    func failedRecognition(isTranscribed: Bool) {
        var rig = MachineRig()
        if isTranscribed { rig.update { $0.input.transcription = .set(Transcription(model: "any")) } }
        let item = rig.speak()
        let error = SpeechEngineError(code: "engine_failed", message: "It broke.")
        let failed = isTranscribed ? ["conversation.item.input_audio_transcription.failed"] : []
        #expect(
            rig.apply(.recognitionFailed(itemId: item, error)) == failed + ["response.created", "response.done"])
        #expect(rig.lastResponse?.statusDetails?.error?.code == "engine_failed")
    }

    @Test("without a recogniser a spoken turn fails with the way to get one, and text turns work")
    func missingRecognizer() {
        var profile = MachineRig.fullProfile
        profile.canRecognize = false
        var rig = MachineRig(profile: profile)
        rig.speak()
        #expect(rig.lastResponse?.status == .failed)
        #expect(rig.lastResponse?.statusDetails?.error?.code == "engine_unavailable")
        #expect(rig.lastResponse?.statusDetails?.error?.message.contains("Scripts/setup") == true)
        rig.answerAloud(ms: 100)
        #expect(rig.lastResponse?.status == .completed)
    }

    @Test("without a synthesiser answers come as text, and one error says so")
    func missingSynthesizer() {
        var profile = MachineRig.fullProfile
        profile.canSynthesize = false
        var rig = MachineRig(profile: profile)
        #expect(rig.client(.responseCreate(nil)) == ["response.created", "error"])
        #expect(rig.lastError?.code == "engine_unavailable")
        #expect(rig.reply("Hello.").contains("response.output_text.delta"))
        #expect(rig.lastResponse?.status == .completed)
        #expect(rig.client(.responseCreate(nil)) == ["response.created"])
    }

    @Test("clearing the buffer forgets the speech in progress")
    func clearing() {
        var rig = MachineRig()
        rig.hear(Sound.silence(ms: 200))
        rig.hear(Sound.speech(ms: 600))
        #expect(rig.client(.inputAudioBufferClear) == ["input_audio_buffer.cleared"])
        #expect(rig.hear(Sound.silence(ms: 1_000)) == [])
        #expect(rig.work.contains { if case .cancelRecognition = $0 { true } else { false } })
    }

    @Test("a client's commit ends the speech in progress without an answer of its own")
    func commitDuringSpeech() {
        var rig = MachineRig()
        rig.hear(Sound.silence(ms: 200))
        rig.hear(Sound.speech(ms: 600))
        #expect(
            rig.client(.inputAudioBufferCommit) == [
                "input_audio_buffer.speech_stopped", "input_audio_buffer.committed", "conversation.item.added",
                "conversation.item.done",
            ])
        #expect(rig.apply(.recognized(itemId: rig.lastCommitted ?? "", Self.words)) == [])
    }

    @Test("speech of more than 30 s is cut into turns")
    func longSpeech() {
        var rig = MachineRig()
        rig.update { $0.input.turnDetection = .set(.serverVAD(ServerVAD(createResponse: false))) }
        rig.hear(Sound.silence(ms: 200))
        let types = (0..<35).flatMap { _ in rig.hear(Sound.speech(ms: 1_000)) }
        #expect(types.filter { $0 == "input_audio_buffer.committed" }.count == 1)
        #expect(types.filter { $0 == "input_audio_buffer.speech_started" }.count == 2)
    }

    @Test("the offsets of speech count all audio of the session, prefix padding and final silence included")
    func offsets() {
        var rig = MachineRig()
        rig.hear(Sound.silence(ms: 1_000))
        rig.speak()
        let start = rig.sent.compactMap { event in
            if case .inputAudioBufferSpeechStarted(let started) = event { started.audioStartMs } else { nil }
        }
        let end = rig.sent.compactMap { event in
            if case .inputAudioBufferSpeechStopped(let stopped) = event { stopped.audioEndMs } else { nil }
        }
        #expect(start.count == 1 && (980...1_040).contains(start[0]))
        #expect(end.count == 1 && (2_500...2_700).contains(end[0]))
    }

    @Test("audio that is cut inside a sample is the same audio")
    func oddBytes() {
        var whole = MachineRig()
        var cut = MachineRig()
        for rig in [0, 1] {
            let samples = Sound.speech(ms: 500)
            let bytes = PCMBlock(samples: samples, sampleRate: 24_000).littleEndianBytes
            if rig == 0 {
                whole.update { $0.input.turnDetection = .clear }
                whole.client(.inputAudioBufferAppend(audio: bytes))
                whole.client(.inputAudioBufferCommit)
            } else {
                cut.update { $0.input.turnDetection = .clear }
                cut.client(.inputAudioBufferAppend(audio: Array(bytes[..<4_801])))
                cut.client(.inputAudioBufferAppend(audio: Array(bytes[4_801..<4_802])))
                cut.client(.inputAudioBufferAppend(audio: Array(bytes[4_802...])))
                cut.client(.inputAudioBufferCommit)
            }
        }
        #expect(whole.machine.conversation == cut.machine.conversation)
        #expect(whole.machine.conversation.entries.first?.audio.count == 12_000)
    }

    @Test("after the idle time the silence itself is answered, measured from the end of the playback")
    func idle() {
        var rig = MachineRig()
        rig.update { $0.input.turnDetection = .set(.serverVAD(ServerVAD(idleTimeoutMs: 5_000))) }
        rig.answerAloud(ms: 2_000)
        #expect(rig.work.last == .schedule(.idle, after: .milliseconds(7_000)))
        #expect(
            rig.apply(.timerFired(.idle)) == [
                "input_audio_buffer.timeout_triggered", "input_audio_buffer.committed", "conversation.item.added",
                "conversation.item.done", "response.created",
            ])
        #expect(rig.lastThought?.request.occasion == .silence)
    }

    @Test("a push-to-talk turn without words is told to the brain as such")
    func nothingUnderstood() {
        var rig = MachineRig()
        rig.update { $0.input.turnDetection = .clear }
        rig.hear(Sound.speech(ms: 500))
        rig.client(.inputAudioBufferCommit)
        rig.client(.responseCreate(nil))
        rig.apply(.recognized(itemId: rig.lastCommitted ?? "", Self.noise))
        #expect(rig.lastThought?.request.occasion == .nothingUnderstood)
    }
}
