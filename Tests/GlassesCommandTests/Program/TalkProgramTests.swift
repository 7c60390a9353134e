import Foundation
import GlassesAudio
import GlassesCore
import TestProcess
import Testing

/// Conversations with the embedded default on the virtual device, in real time.
@Suite("glasses talk", .serialized)
struct TalkProgramTests {
    private func talk(_ arguments: [String]) async throws -> (events: [JSONValue], code: Int32) {
        let outcome = try await GlassesProgram.run(["talk", "--device", "null", "--json"] + arguments)
        return (try outcome.events(), outcome.code)
    }

    @Test("typed lines are carried out one after another, and the timers that are dropped are named")
    func typedLines() async throws {
        let (events, code) = try await talk(["--type", "what time is it", "--type", "set a timer for five minutes"])
        #expect(code == 0)
        #expect(events.named("ready").count == 1)
        #expect(events.named("toolCalled").map { $0["name"]?.stringValue } == ["get_time", "set_timer"])
        #expect(events.named("toolCalled").last?["args"] == ["seconds": 300])
        #expect(events.named("toolResult").allSatisfy { $0["isError"] == .bool(false) })
        #expect(events.named("assistantAudioStarted").count == events.named("assistantAudioFinished").count)
        let names = events.compactMap { $0["event"]?.stringValue }
        let (finished, second) = (names.firstIndex(of: "assistantAudioFinished"), names.lastIndex(of: "userSpoke"))
        #expect(try #require(finished) < #require(second))
        #expect(names.last == "summary")
        let summary = try #require(events.last)
        #expect(summary["turns"]?.intValue == 2)
        #expect(summary["tools"]?.intValue == 2)
        #expect(summary["errors"]?.intValue == 0)
        #expect(summary["pendingTimers"]?.arrayValue?.map { $0["seconds"]?.intValue } == [300])
        let times = events.compactMap { $0["t"]?.doubleValue }
        #expect(times == times.sorted())
    }

    @Test("spoken lines are recognised, and both recordings are complete")
    func spokenLine() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talk-\(UUID())")
        let (events, code) = try await talk(["--say", "what time is it", "--record", folder.path])
        #expect(code == 0)
        #expect(events.named("userSpoke").map { $0["transcript"]?.stringValue } == ["what time is it"])
        #expect(events.named("toolCalled").map { $0["name"]?.stringValue } == ["get_time"])
        for name in ["mic.wav", "speaker.wav"] {
            let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
            let recording = try WAVReader.read(Array(bytes))
            #expect(!recording.isUnfinished)
            #expect(recording.samples.contains { abs(Int($0)) > 1_000 })
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a timer rings over the next answer, and stop ends the ring first")
    func ringingTimer() async throws {
        let (events, code) = try await talk([
            "--type", "set a timer for one second", "--type", "what time is it", "--type", "stop", "--type",
            "what time is it",
        ])
        #expect(code == 0)
        let names = events.compactMap { $0["event"]?.stringValue }
        #expect(events.named("timerRinging").map { $0["seconds"]?.intValue } == [1])
        #expect(events.named("timerStopped").count == 1)
        let output = events.named("toolResult").first { $0["name"] == "stop" }?["output"]
        #expect(output == "The timer is off.")
        #expect(!names.contains("wentDormant"))
        #expect(events.last?["pendingTimers"] == [])
    }

    @Test("stop with nothing ringing puts the assistant to sleep, and the next line wakes it")
    func sleepAndWake() async throws {
        let (events, code) = try await talk(["--type", "stop", "--type", "what time is it"])
        #expect(code == 0)
        #expect(events.named("wentDormant").count == 1)
        #expect(events.named("toolCalled").map { $0["name"]?.stringValue } == ["stop", "get_time"])
        #expect(events.named("ready").count == 1)
    }

    @Test("a conversation ends at a signal, in order", arguments: [SIGINT, SIGTERM])
    func signal(_ number: Int32) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talk-\(UUID())")
        var process = TestProcess(
            GlassesProgram.path, ["talk", "--device", "null", "--json", "--record", folder.path])
        process.environment = GlassesProgram.environment
        process.signal = (number, after: "\"event\":\"ready\"")
        let outcome = try await process.run()
        let events = try outcome.events()
        #expect(outcome.code == 0)
        #expect(events.named("sessionEnded").map { $0["reason"]?.stringValue } == ["user"])
        #expect(events.last?["event"] == "summary")
        let bytes = try Data(contentsOf: folder.appendingPathComponent("mic.wav"))
        #expect(try !WAVReader.read(Array(bytes)).isUnfinished)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("without JSON a person reads who said what, and where the audio goes")
    func transcript() async throws {
        let outcome = try await GlassesProgram.run(["talk", "--device", "null", "--type", "take a picture"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("Audio stays on this machine."))
        #expect(outcome.output.contains("You: take a picture\n"))
        #expect(outcome.output.contains("this device has no camera"))
        #expect(!outcome.output.contains("\u{1B}"))
    }
}
