import Foundation
import GlassesDomain
import SoundServer
import Testing

/// A spoken conversation with simulated Meta glasses, whose sound is this machine's.
@Suite(.serialized) struct MetaGlassesTests {
    private let portFile = SoundLab.folder.appendingPathComponent("mock-\(UUID().uuidString)").path

    private func script(_ pulse: PrivatePulse, _ operation: String) throws {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let program = folder.appendingPathComponent("glasses").path
        let ended = try pulse.launch(program, ["mock", operation, "--port-file", portFile]).wait()
        #expect(ended == 0, "glasses mock \(operation)")
    }

    /// How long the assistant was audible in its turn `number`, counted from 0.
    private func audible(_ talk: TalkProcess, _ number: Int) throws -> Double {
        let starts = talk.events("assistantAudioStarted").compactMap { $0["t"]?.doubleValue }
        let ends = talk.events("assistantAudioFinished").compactMap { $0["t"]?.doubleValue }
        try #require(starts.count > number && ends.count > number)
        return ends[number] - starts[number]
    }

    @Test(
        "Glasses that are folded in mid-sentence cut the answer, and the session falls asleep once",
        .timeLimit(.minutes(3)))
    func fold() async throws {
        let voice = try await SpokenTestVoice()
        try await PrivatePulse.with { pulse in
            let talk = try TalkProcess(
                pulse,
                ["--device", "meta", "--mock", "--mic", pulse.microphone, "--speaker", pulse.speaker],
                variables: ["MWDAT_TEST_SERVER_PORT_FILE": portFile])
            try #require(await talk.prints(of: "ready", within: .seconds(30)), "it gets ready")
            let question = try await voice.speech("what can you do")
            _ = try pulse.play(question, to: "mic").wait()
            try #require(await talk.prints(of: "assistantAudioFinished", within: .seconds(40)), "it answers")
            _ = try pulse.play(question, to: "mic").wait()
            try #require(await talk.prints(2, of: "assistantAudioStarted", within: .seconds(20)), "it answers again")
            try script(pulse, "fold")
            try #require(
                await talk.prints(of: "wentDormant", within: .seconds(15)),
                "\(talk.events.suffix(6).map(\.jsonText))")
            #expect(talk.end() == 0)
            let (whole, cut) = (try audible(talk, 0), try audible(talk, 1))
            print("an answer of \(whole) s was cut after \(cut) s")
            #expect(cut < whole - 0.5)
            #expect(talk.events("wentDormant").count == 1)
            #expect(talk.events("error").filter { $0["kind"] == "device_lost" }.count == 1)
            #expect(talk.events("assistantAudioFinished").count == 2)
        }
        await voice.shutdown()
    }

    @Test("\"Take a picture\" is answered with the glasses' picture", .timeLimit(.minutes(3)))
    func picture() async throws {
        let voice = try await SpokenTestVoice()
        try await PrivatePulse.with { pulse in
            let talk = try TalkProcess(
                pulse,
                ["--device", "meta", "--mock", "--mic", pulse.microphone, "--speaker", pulse.speaker],
                variables: ["MWDAT_TEST_SERVER_PORT_FILE": portFile])
            try #require(await talk.prints(of: "ready", within: .seconds(30)), "it gets ready")
            _ = try pulse.play(try await voice.speech("take a picture"), to: "mic").wait()
            try #require(await talk.prints(of: "assistantAudioFinished", within: .seconds(30)), "it answers")
            #expect(talk.end() == 0)
            let result = try #require(talk.events("toolResult").first)
            #expect(result["name"]?.stringValue == "take_picture")
            #expect(result["isError"] == false, "\(result.jsonText)")
        }
        await voice.shutdown()
    }
}
