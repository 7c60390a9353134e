import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("The words of an utterance that goes on")
struct StableTranscriptTests {
    /// The hypotheses, and what is told at each.
    static let cases: [([String], [String?])] = [
        (["set", "set a", "set a timer", "set a timer for"], [nil, "set", " a", " timer"]),
        (["Set a timer", "set a timer.", "Set a timer. For five"], [nil, "set a", " timer."]),
        (["recognise speech now", "wreck a nice beach now"], [nil, nil]),
        (
            ["one two three", "one two three four", "one too three four five", "one two three four five"],
            [nil, "one two three", nil, nil]
        ),
        (["", " ", "hello"], [nil, nil, nil]),
    ]

    @Test(
        "only words that two hypotheses in a row agree on are told, once, and nothing after a change of mind",
        arguments: cases)
    func tells(hypotheses: [String], expected: [String?]) {
        var transcript = StableTranscript()
        #expect(hypotheses.map { transcript.update($0) } == expected)
    }

    @Test(
        "a session that asks for transcription gets deltas of an utterance while it is spoken, and the whole at its end"
    )
    func deltas() {
        var rig = MachineRig()
        rig.update { $0.input.transcription = .set(Transcription()) }
        rig.hear(Sound.silence(ms: 300))
        rig.hear(Sound.speech(ms: 800))
        let item = rig.machine.utterance?.itemId ?? ""
        rig.apply(.partiallyRecognized(itemId: item, text: "what time"))
        rig.apply(.partiallyRecognized(itemId: item, text: "what time is it"))
        rig.hear(Sound.silence(ms: 600))
        rig.apply(.recognized(itemId: item, RecognitionResult(text: "What time is it?", confidence: 1)))
        rig.apply(.partiallyRecognized(itemId: item, text: "what time is it now"))
        let told = rig.sent.compactMap { event in
            switch event {
            case .inputAudioTranscriptionDelta(let delta): delta.itemId == item ? "+" + delta.delta : nil
            case .inputAudioTranscriptionCompleted(let completed): completed.transcript
            default: nil
            }
        }
        #expect(told == ["+what", "What time is it?"] || told == ["+what time", "What time is it?"])
    }

    @Test("a session without transcription gets no deltas")
    func off() {
        var rig = MachineRig()
        rig.hear(Sound.speech(ms: 800))
        let item = rig.machine.utterance?.itemId ?? ""
        for _ in 0..<2 { rig.apply(.partiallyRecognized(itemId: item, text: "what time is it")) }
        #expect(!rig.sent.contains { $0.type.hasSuffix("transcription.delta") })
    }
}
