import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("Recognition at pauses")
struct PauseTests {
    private static let words = RecognitionResult(text: "take a picture", confidence: 1)

    /// What is done for the recogniser, without the audio.
    private static func recognition(_ rig: MachineRig) -> [String] {
        rig.work.compactMap { work in
            switch work {
            case .startRecognition: "start"
            case .finishRecognition: "finish"
            case .cancelRecognition: "cancel"
            default: nil
            }
        }
    }

    private static func pushed(_ rig: MachineRig) -> [Int] {
        rig.work.compactMap { if case .pushAudio(_, let samples) = $0 { samples.count } else { nil } }
    }

    private static func item(_ rig: MachineRig) -> String { rig.machine.utterance?.itemId ?? "" }

    /// A rig in which somebody spoke and is silent for 300 ms.
    private static func paused() -> MachineRig {
        var rig = MachineRig()
        rig.hear(Sound.silence(ms: 300))
        rig.hear(Sound.speech(ms: 800))
        rig.hear(Sound.silence(ms: 300))
        return rig
    }

    @Test("words that were recognised during the silence are answered in the moment in which the turn ends")
    func ready() {
        var rig = Self.paused()
        #expect(Self.recognition(rig) == ["start", "finish"])
        #expect(rig.apply(.recognized(itemId: Self.item(rig), Self.words)) == [])
        let events = rig.hear(Sound.silence(ms: 300))
        #expect(
            events == [
                "input_audio_buffer.speech_stopped", "input_audio_buffer.committed", "conversation.item.added",
                "conversation.item.done", "response.created",
            ])
        #expect(rig.lastThought?.request.pending == [.user("take a picture")])
        #expect(Self.recognition(rig) == ["start", "finish"])
    }

    @Test("words that are still worked out when the turn ends are waited for, and asked for only once")
    func late() {
        var rig = Self.paused()
        let item = Self.item(rig)
        rig.hear(Sound.silence(ms: 300))
        #expect(rig.lastThought == nil)
        #expect(rig.apply(.recognized(itemId: item, Self.words)) == ["response.created"])
        #expect(Self.recognition(rig) == ["start", "finish"])
    }

    @Test(
        "whoever goes on is listened to anew from the beginning, and the words so far are thrown away",
        arguments: [true, false])
    func goesOn(isRecognised: Bool) {
        var rig = Self.paused()
        if isRecognised { rig.apply(.recognized(itemId: Self.item(rig), Self.words)) }
        rig.hear(Sound.speech(ms: 400))
        #expect(Self.recognition(rig) == ["start", "finish", "cancel", "start"])
        let samples = rig.machine.utterance?.samples.count ?? 0
        rig.hear(Sound.silence(ms: 900))
        #expect(Self.recognition(rig).suffix(1) == ["finish"])
        // The second start got everything once: the beginning in one piece, the rest as it came.
        let start = rig.work.lastIndex { if case .startRecognition = $0 { true } else { false } } ?? 0
        var again = rig
        again.forgetWork(before: start)
        let pushedAgain = Self.pushed(again).reduce(0, +)
        #expect(pushedAgain >= samples && pushedAgain < samples + 300 * 24)
        let both = RecognitionResult(text: "take a picture now", confidence: 1)
        rig.apply(.recognized(itemId: rig.lastCommitted ?? "", both))
        #expect(rig.lastThought?.request.pending == [.user("take a picture now")])
    }

    @Test("a recogniser that fails at a pause gets the whole turn again")
    func failure() {
        var rig = Self.paused()
        let error = SpeechEngineError(code: "engine_failed", message: "It broke.")
        #expect(rig.apply(.recognitionFailed(itemId: Self.item(rig), error)) == [])
        rig.hear(Sound.silence(ms: 300))
        #expect(Self.recognition(rig) == ["start", "finish", "cancel", "start", "finish"])
        #expect(rig.apply(.recognized(itemId: rig.lastCommitted ?? "", Self.words)) == ["response.created"])
    }

    @Test("a noise that is recognised as nothing at the pause leaves no trace at the end")
    func noise() {
        var rig = Self.paused()
        rig.apply(.recognized(itemId: Self.item(rig), RecognitionResult(text: "", confidence: 0)))
        #expect(rig.hear(Sound.silence(ms: 300)).last == "conversation.item.deleted")
        #expect(rig.machine.conversation.entries.isEmpty)
    }

    @Test("a long utterance, and one with many pauses, is not recognised at each of them")
    func bounded() {
        var rig = MachineRig()
        rig.hear(Sound.silence(ms: 300))
        for _ in 0..<10 {
            rig.hear(Sound.speech(ms: 300))
            rig.hear(Sound.silence(ms: 300))
        }
        let finished = Self.recognition(rig).filter { $0 == "finish" }.count
        #expect(finished == PipelineLimits.speculationsPerUtterance)
        var long = MachineRig()
        long.hear(Sound.speech(ms: 11_000))
        long.hear(Sound.silence(ms: 300))
        #expect(Self.recognition(long) == ["start"])
    }

    /// Eagerness, whether the brain takes the request for whole, and after how much silence the turn ends.
    static let turns: [(String, Bool, ClosedRange<Int>)] = [
        ("auto", true, 200...280), ("high", true, 200...280), ("auto", false, 600...640), ("low", true, 1_200...1_240),
    ]

    @Test("under semantic detection a whole request ends its turn at the pause", arguments: turns)
    func wholeTurn(eagerness: String, isWhole: Bool, silence: ClosedRange<Int>) {
        var rig = MachineRig()
        rig.update { $0.input.turnDetection = .set(.semanticVAD(SemanticVAD(eagerness: eagerness))) }
        rig.hear(Sound.silence(ms: 300))
        rig.hear(Sound.speech(ms: 800))
        var milliseconds = 0
        var wasAnswered = false
        while rig.lastCommitted == nil, milliseconds < 2_000 {
            rig.hear(Sound.silence(ms: 20))
            milliseconds += 20
            guard case .finishing = rig.machine.utterance?.decoding, !wasAnswered else { continue }
            wasAnswered = true
            let item = Self.item(rig)
            rig.apply(.recognized(itemId: item, Self.words))
            if case .weighTurn(_, let attempt, let request) = rig.work.last {
                #expect(request.pending == [.user("take a picture")])
                rig.apply(.turnWeighed(itemId: item, attempt: attempt, isWhole: isWhole))
            }
        }
        // The last 50 ms of the sound are quiet.
        #expect(silence.contains(milliseconds) || silence.contains(milliseconds + 50))
        #expect(rig.lastThought?.request.pending == [.user("take a picture")])
    }

    @Test("a verdict on words that were thrown away ends nothing")
    func staleVerdict() {
        var rig = MachineRig()
        rig.update { $0.input.turnDetection = .set(.semanticVAD(SemanticVAD())) }
        rig.hear(Sound.speech(ms: 800))
        rig.hear(Sound.silence(ms: 300))
        let item = Self.item(rig)
        rig.apply(.recognized(itemId: item, Self.words))
        rig.hear(Sound.speech(ms: 300))
        #expect(rig.apply(.turnWeighed(itemId: item, attempt: 1, isWhole: true)) == [])
        rig.hear(Sound.silence(ms: 300))
        rig.apply(.recognized(itemId: item, Self.words))
        #expect(rig.apply(.turnWeighed(itemId: item, attempt: 1, isWhole: true)) == [])
        #expect(rig.apply(.turnWeighed(itemId: item, attempt: 2, isWhole: true)).last == "response.created")
    }
}
