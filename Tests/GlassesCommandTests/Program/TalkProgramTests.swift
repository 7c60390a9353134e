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
        process.signals = ([number], after: "\"event\":\"ready\"")
        let outcome = try await process.run()
        let events = try outcome.events()
        #expect(outcome.code == 0)
        #expect(events.named("sessionEnded").map { $0["reason"]?.stringValue } == ["user"])
        #expect(events.last?["event"] == "summary")
        let bytes = try Data(contentsOf: folder.appendingPathComponent("mic.wav"))
        #expect(try !WAVReader.read(Array(bytes)).isUnfinished)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a reader that goes away ends the conversation in order, with its recordings")
    func readerGone() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talk-\(UUID())")
        let line = #"""
            "$0" talk --device null --json --type "what time is it" --record "$1" | grep -m 1 '"event":"ready"'
            exit "${PIPESTATUS[0]}"
            """#
        var process = TestProcess("/bin/bash", ["-c", line, GlassesProgram.path, folder.path])
        process.environment = GlassesProgram.environment
        let outcome = try await process.run()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try outcome.events().count == 1)
        let bytes = try Data(contentsOf: folder.appendingPathComponent("mic.wav"))
        let recording = try WAVReader.read(Array(bytes))
        #expect(!recording.isUnfinished)
        #expect(recording.frames > 0)
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("speaker.wav").path))
        try FileManager.default.removeItem(at: folder)
    }

    @Test(
        "a signal during the start or in the middle of a line ends the conversation without waiting for either",
        arguments: [
            (["--type", "hello"], "state"),
            (["--say", "what time is it, and what time is it then"], "ready"),
            (["--type", "set a timer for five minutes"], "assistantAudioStarted"),
        ])
    func earlySignal(_ arguments: [String], _ moment: String) async throws {
        var process = TestProcess(GlassesProgram.path, ["talk", "--device", "null", "--json"] + arguments)
        process.environment = GlassesProgram.environment
        process.signals = ([SIGINT], after: "\"event\":\"\(moment)\"")
        let outcome = try await process.run()
        let events = try outcome.events()
        #expect(outcome.code == 0, "\(outcome.errors)")
        let asked = try #require(events.named(moment).first?["t"]?.doubleValue)
        let summary = try #require(events.named("summary").last?["t"]?.doubleValue)
        #expect(events.last?["event"] == "summary")
        #expect(summary - asked < 5)
        #expect(events.named("sessionEnded").allSatisfy { $0["reason"] == "user" })
    }

    @Test("a second signal ends the program at once with the code of a signal")
    func secondSignal() async throws {
        var process = TestProcess(GlassesProgram.path, ["talk", "--device", "null", "--json"])
        process.environment = GlassesProgram.environment
        // Two different ones, since two of the same kind may arrive as one; either may be seen first.
        process.signals = ([SIGINT, SIGTERM], after: "\"event\":\"ready\"")
        let outcome = try await process.run()
        #expect([128 + SIGINT, 128 + SIGTERM].contains(outcome.code))
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
