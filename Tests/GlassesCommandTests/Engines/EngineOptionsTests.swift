import GlassesCore
import Testing

@testable import glasses

@Suite("Options that choose engines and turns")
struct EngineOptionsTests {
    private func talk(_ arguments: [String]) throws -> TalkOptions {
        guard case .run(let parsed) = try ArgumentParser.parse(arguments, for: TalkCommand.spec) else {
            throw UsageError("help")
        }
        return try TalkOptions(parsed)
    }

    @Test("an engine that is named is chosen, the others are left to the best")
    func choice() throws {
        #expect(try talk([]).speech == .best)
        #expect(try talk(["--stt", "org.example.a"]).speech == SpeechChoice(recognizer: "org.example.a"))
        #expect(
            try talk(["--tts", "b", "--vad", "energy"]).speech == SpeechChoice(voice: "b", voiceActivity: "energy"))
    }

    @Test("an empty name is refused", arguments: ["--stt", "--tts", "--vad"])
    func empty(option: String) {
        #expect(throws: UsageError.self) { try talk([option, ""]) }
    }

    @Test("turns end by silence unless they are to end by meaning")
    func turns() throws {
        #expect(try talk([]).turnDetection == .serverVad())
        #expect(try talk(["--turns", "silence"]).turnDetection == .serverVad())
        #expect(try talk(["--turns", "meaning"]).turnDetection == .semanticVad)
        #expect(throws: UsageError.self) { try talk(["--turns", "often"]) }
    }
}
