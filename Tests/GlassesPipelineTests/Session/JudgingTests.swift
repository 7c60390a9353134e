import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("Sessions whose speech is judged by an engine")
struct JudgingTests {
    private static func rig() -> MachineRig {
        var profile = MachineRig.fullProfile
        profile.hasJudge = true
        var rig = MachineRig(profile: profile)
        rig.apply(.opened)
        return rig
    }

    /// What is done for the judge, without the audio.
    private static func judging(_ rig: MachineRig) -> [String] {
        rig.work.compactMap { work in
            switch work {
            case .startJudging(let stream): "start \(stream)"
            case .stopJudging: "stop"
            case .schedule(.judgeRest, let delay): "rest \(delay.wholeMilliseconds)"
            default: nil
            }
        }
    }

    /// Hears a sound of 20 ms pieces, each of which the stream's judge gives `probability`.
    private static func hear(
        _ rig: inout MachineRig, ms: Int, probability: Float, from start: Int, stream: Int = 1
    ) -> [String] {
        var events: [String] = []
        for piece in stride(from: 0, to: ms, by: 20) {
            // The sound is loud: energy alone would take it for speech.
            events += rig.hear(Sound.speech(ms: 20))
            let first = Int64(start + piece) * 24
            events += rig.apply(
                .voiceJudged(stream: stream, samples: first..<first + 480, probability: probability))
        }
        return events
    }

    @Test("the judge decides what is speech, whatever its energy")
    func decides() {
        var rig = Self.rig()
        #expect(Self.hear(&rig, ms: 1_000, probability: 0.1, from: 0) == [])
        #expect(
            Self.hear(&rig, ms: 300, probability: 0.9, from: 1_000) == ["input_audio_buffer.speech_started"])
        let events = Self.hear(&rig, ms: 600, probability: 0.1, from: 1_300)
        #expect(events.contains("input_audio_buffer.committed"))
        #expect(Self.judging(rig) == ["start 1"])
    }

    @Test("a judge that fails is replaced at once, told of, and tried again after a rest that grows")
    func recovers() {
        var rig = Self.rig()
        let error = SpeechEngineError(code: "engine_failed", message: "It broke.")
        rig.apply(.judgeFailed(stream: 1, error))
        #expect(rig.notices == [.judgeLost(reason: "failed", losses: 1)])
        rig.hear(Sound.silence(ms: 300))
        #expect(rig.hear(Sound.speech(ms: 600)) == ["input_audio_buffer.speech_started"])
        // A judge that took over in mid-utterance would not know how it began.
        rig.apply(.timerFired(.judgeRest))
        #expect(Self.judging(rig) == ["start 1", "stop", "rest 5000", "rest 5000"])
        rig.hear(Sound.silence(ms: 900))
        rig.apply(.timerFired(.judgeRest))
        rig.apply(.judgeFailed(stream: 1, error))
        rig.apply(.judgeFailed(stream: 2, error))
        #expect(Self.judging(rig).suffix(4) == ["rest 5000", "start 2", "stop", "rest 10000"])
        #expect(rig.notices.last == .judgeLost(reason: "failed", losses: 2))
    }

    @Test("a stream that has judged for more than five seconds clears the count of losses")
    func forgives() {
        var rig = Self.rig()
        let error = SpeechEngineError(code: "engine_failed", message: "It broke.")
        rig.apply(.judgeFailed(stream: 1, error))
        rig.apply(.timerFired(.judgeRest))
        _ = Self.hear(&rig, ms: 5_100, probability: 0.1, from: 0, stream: 2)
        rig.apply(.judgeFailed(stream: 2, error))
        #expect(rig.notices.last == .judgeLost(reason: "failed", losses: 1))
    }

    @Test("what comes from a stream before the last one counts no more")
    func staleStream() {
        var rig = Self.rig()
        rig.update { $0.input.turnDetection = .set(.serverVAD(ServerVAD(silenceDurationMs: 700))) }
        #expect(Self.judging(rig) == ["start 1", "stop", "start 2"])
        #expect(Self.hear(&rig, ms: 600, probability: 0.9, from: 0, stream: 1) == [])
    }

    @Test("without turn detection nothing is judged")
    func clientDecides() {
        var rig = Self.rig()
        rig.update { $0.input.turnDetection = .clear }
        rig.forgetWork()
        rig.hear(Sound.speech(ms: 600))
        #expect(rig.work == [])
    }

    @Test("while an answer is heard, a click and a cough cut nothing, and a word does")
    func bargeIn() {
        var rig = Self.rig()
        rig.answerAloud(ms: 2_000)
        #expect(Self.hear(&rig, ms: 140, probability: 0.9, from: 0) == [])
        #expect(Self.hear(&rig, ms: 200, probability: 0.05, from: 140) == [])
        #expect(Self.hear(&rig, ms: 200, probability: 0.9, from: 340).contains("input_audio_buffer.speech_started"))
    }

    @Test("the stages of a turn are told with the first sound of its answer, and once")
    func stages() {
        var rig = Self.rig()
        rig.now = .zero.advanced(by: .milliseconds(1_000))
        _ = Self.hear(&rig, ms: 400, probability: 0.9, from: 0)
        _ = Self.hear(&rig, ms: 520, probability: 0.1, from: 400)
        let item = rig.lastCommitted ?? ""
        rig.now = rig.now.advanced(by: .milliseconds(30))
        rig.apply(.recognized(itemId: item, RecognitionResult(text: "what time is it", confidence: 1)))
        rig.now = rig.now.advanced(by: .milliseconds(4))
        rig.reply(calls: [BrainFunctionCall(name: "get_time", arguments: "{}")])
        rig.now = rig.now.advanced(by: .milliseconds(50))
        let call = rig.machine.conversation.entries.compactMap { entry in
            if case .functionCall(let call) = entry.item.body { call.callId } else { nil }
        }.last
        let output = FunctionCallOutputItem(callId: call ?? "", output: "noon")
        rig.client(.conversationItemCreate(ItemCreation(item: ConversationItem(body: .functionCallOutput(output)))))
        rig.client(.responseCreate(nil))
        rig.now = rig.now.advanced(by: .milliseconds(3))
        rig.reply("It is noon. Good day.")
        rig.now = rig.now.advanced(by: .milliseconds(20))
        rig.synthesize(ms: 500)
        rig.synthesize(ms: 500)
        let expected = TurnStages(
            endpointMs: 504, recognitionMs: 30, brainMs: 7, toolMs: 50, synthesisMs: 20, totalMs: 611)
        #expect(rig.notices == [.turnAnswered(expected)])
    }
}
