import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct InterruptionClassifierTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var what: String
        var observation: InterruptionObservation
        var config = InterruptionConfig()
        var verdict: InterruptionVerdict
        var testDescription: String { what }
    }

    private static let cases: [Case] = [
        Case(what: "a click", observation: .init(durationMs: 40), verdict: .ignore),
        Case(what: "just too short", observation: .init(durationMs: 499), verdict: .ignore),
        Case(what: "just long enough", observation: .init(durationMs: 500), verdict: .interrupt),
        Case(what: "an echo, however long", observation: .init(durationMs: 9_000, isEcho: true), verdict: .ignore),
        Case(
            what: "in the first second of an answer",
            observation: .init(durationMs: 1_499, agentSpeakingElapsedMs: 999),
            verdict: .ignore),
        Case(
            what: "long, in the first second of an answer",
            observation: .init(durationMs: 1_500, agentSpeakingElapsedMs: 0), verdict: .interrupt),
        Case(
            what: "after the first second of an answer",
            observation: .init(durationMs: 500, agentSpeakingElapsedMs: 1_000), verdict: .interrupt),
        Case(
            what: "before the answer is audible", observation: .init(durationMs: 500, agentSpeakingElapsedMs: nil),
            verdict: .interrupt),
        Case(
            what: "too few words", observation: .init(durationMs: 800, wordCount: 1), config: .init(minWords: 2),
            verdict: .ignore),
        Case(
            what: "words enough", observation: .init(durationMs: 800, wordCount: 2), config: .init(minWords: 2),
            verdict: .interrupt),
        Case(
            what: "words that are not known", observation: .init(durationMs: 800), config: .init(minWords: 2),
            verdict: .interrupt),
        Case(
            what: "a threshold of nothing", observation: .init(durationMs: 0),
            config: .init(minDurationMs: -5, backchannelWindowMs: 0), verdict: .interrupt),
    ]

    @Test(arguments: cases) func speechIsJudgedByWhatIsKnownOfIt(_ item: Case) {
        #expect(InterruptionClassifier(item.config).verdict(on: item.observation) == item.verdict)
    }

    @Test(
        arguments: [
            ("", .ignore), ("…", .ignore), ("Mm-hm.", .ignore), ("Uh-huh, yeah", .ignore), ("OK okay", .ignore),
            ("I see.", .ignore), ("Stop.", .interrupt), ("yeah but wait", .interrupt), ("No!", .interrupt),
            // What the assistant says itself, as the microphone hears it.
            ("is sunny and warm", .ignore), ("sunny", .interrupt),
        ] as [(String, InterruptionVerdict)])
    func shortSpeechIsJudgedByItsWords(words: String, verdict: InterruptionVerdict) {
        let spoken = "The weather today is sunny, and warm."
        #expect(InterruptionClassifier().verdict(onWords: words, spoken: spoken) == verdict)
    }

    @Test func fewerWordsThanAskedForDoNotInterrupt() {
        let classifier = InterruptionClassifier(InterruptionConfig(minWords: 2))
        #expect(classifier.verdict(onWords: "stop", spoken: "") == .ignore)
        #expect(classifier.verdict(onWords: "stop now", spoken: "") == .interrupt)
    }
}
