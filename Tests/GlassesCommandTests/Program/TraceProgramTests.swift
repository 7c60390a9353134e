import Foundation
import GlassesAssistant
import GlassesCore
import TestProcess
import Testing

/// A conversation of the real program is recorded, and lived through again by it.
@Suite("glasses talk --trace and glasses replay", .serialized)
struct TraceProgramTests {
    private static func path() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).trace").path
    }

    private static func replay(_ arguments: [String]) async throws -> TestProcess.Outcome {
        try await GlassesProgram.run(["replay"] + arguments)
    }

    private static func talk(_ path: String, _ arguments: [String]) async throws -> TestProcess.Outcome {
        let outcome = try await GlassesProgram.run(["talk", "--device", "null", "--trace", path] + arguments)
        #expect(outcome.code == 0)
        return outcome
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a spoken conversation replays to the same without a word of it, and a changed one does not")
    func maskedTrace() async throws {
        let path = Self.path()
        // A file that was there keeps neither its text nor its permissions.
        try Data(String(repeating: "older\n", count: 9_999).utf8).write(to: URL(fileURLWithPath: path))
        let spoken = ["--say", "set a timer for five minutes", "--type", "remember that my keys are in the kitchen"]
        let told = try await Self.talk(path, spoken).errors
        #expect(told.contains("glasses: trace: writing to \(path), may hold when who spoke"))
        #expect(try Self.mode(path) == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for word in ["older", "minutes", "keys", "kitchen", "glasses. Answer"] { #expect(!text.contains(word)) }
        #expect(text.contains("set_timer"))
        let outcome = try await Self.replay([path])
        #expect(outcome.lines.count == 1)
        #expect(outcome.lines.first?.hasPrefix("same: ") == true)
        #expect(outcome.code == 0)

        let story = try await Self.replay([path, "--print", "--from", "2", "--to", "4"])
        #expect(story.lines.filter { $0.contains("  (") }.count == 3)
        let objects = try await Self.replay([path, "--print", "--json"]).events()
        #expect(objects.last?["same"] == true)
        #expect(objects.last?["end"] == "complete")
        #expect(objects.last?["steps"] == .int(Int64(objects.count - 1)))

        let changed = Self.path()
        let lines = text.split(separator: "\n").map(String.init)
        let index = try #require(lines.firstIndex { $0.contains("assistantAudioStarted") })
        var tampered = lines
        tampered[index] = lines[index].replacing("assistantAudioStarted", with: "assistantAudioFinished")
        try (tampered.joined(separator: "\n") + "\n").write(toFile: changed, atomically: true, encoding: .utf8)
        let difference = try await Self.replay([changed])
        #expect(difference.code == 1)
        #expect(difference.lines.last?.contains("(line \(index + 1))") == true)

        let renewed = Self.path()
        #expect(try await Self.replay([changed, "--output", renewed]).code == 1)
        #expect(try Self.mode(renewed) == 0o600)
        #expect(try String(contentsOfFile: renewed, encoding: .utf8) == text)
        for path in [path, changed, renewed] { try FileManager.default.removeItem(atPath: path) }
    }

    @Test("with --trace-text and --trace-audio the trace holds what was said, and says so first")
    func wholeTrace() async throws {
        let path = Self.path()
        let told = try await Self.talk(path, ["--type", "what time is it", "--trace-text", "--trace-audio"]).errors
        #expect(told.contains("may hold everything that is said, and what tools are asked and answer, and the"))
        let trace = try SessionTrace(file: Array(Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(trace.steps.contains { $0.inputJSON.jsonText.contains("what time is it") })
        #expect(trace.steps.contains { $0.audio?["pcm16"] != nil })
        #expect(try await Self.replay([path]).code == 0)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test("a gateway's token is in no trace, whatever else is kept")
    func token() async throws {
        let (path, token) = (Self.path(), Self.path())
        try Data("sesame-9431\n".utf8).write(to: URL(fileURLWithPath: token))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
        let outcome = try await GlassesProgram.run([
            "talk", "--device", "null", "--gateway", "ws://127.0.0.1:9/v1", "--token-file", token, "--type", "hello",
            "--trace", path, "--trace-text",
        ])
        #expect(outcome.code == 4)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("connectionFailed"))
        #expect(!text.contains("sesame"))
        #expect(try await Self.replay([path]).code == 0)
        for path in [path, token] { try FileManager.default.removeItem(atPath: path) }
    }

    @Test("a file that cannot be replayed is refused with its line and exit code 2")
    func brokenFiles() async throws {
        let path = Self.path()
        let missing = try await Self.replay([path])
        #expect(missing.code == 2)
        try Data("hello\n".utf8).write(to: URL(fileURLWithPath: path))
        let foreign = try await Self.replay([path])
        #expect(foreign.code == 2)
        #expect(foreign.errors.contains("line 1: it does not begin a trace"))
        #expect(try await Self.replay(["/dev/zero"]).code == 2)
        #expect(try await Self.replay([path, "--from", "3"]).code == 2)
        #expect(try await GlassesProgram.run(["talk", "--trace-text"]).code == 2)
        #expect(try await GlassesProgram.run(["talk", "--trace", path + "/t.trace"]).code == 2)
        try FileManager.default.removeItem(atPath: path)
    }
}
