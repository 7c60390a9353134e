import Foundation
import GlassesCore
import TestProcess
import Testing

@Suite("The program with simulated Meta glasses")
struct MetaProgramTests {
    private let root = NSTemporaryDirectory() + "meta-" + UUID().uuidString

    private func run(_ program: String, _ arguments: [String]) async throws -> TestProcess.Outcome {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        var process = TestProcess(program, arguments)
        process.environment = GlassesProgram.environment.merging([
            "XDG_CACHE_HOME": root, "MWDAT_TEST_SERVER_PORT_FILE": root + "/port",
        ]) { _, own in own }
        process.limit = .seconds(120)
        let outcome = try await process.run()
        try FileManager.default.removeItem(atPath: root)
        return outcome
    }

    @Test("a still is the one that the glasses take")
    func still() async throws {
        let outcome = try await run(
            GlassesProgram.path, ["photo", "--device", "meta", "--mock", "--still", "--json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let photo = try #require(try outcome.events().first)
        #expect(photo["width"] == 1_080 && photo["height"] == 1_440)
        #expect(!outcome.errors.contains("a frame of its stream"))
    }

    @Test("\"take a picture\" in a conversation takes the glasses' picture")
    func picture() async throws {
        let outcome = try await run(
            GlassesProgram.path,
            [
                "talk", "--device", "meta", "--mock", "--mic", "none", "--speaker", "none", "--json", "--type",
                "take a picture",
            ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let results = try outcome.events().named("toolResult")
        #expect(results.map { $0["name"]?.stringValue } == ["take_picture"])
        #expect(results.first?["isError"] == false)
        #expect(results.first?["output"]?.stringValue?.contains(root) == true)
    }

    @Test("folding the glasses from another terminal puts the conversation to sleep once, and says why")
    func fold() async throws {
        // Folds once the conversation is ready, and ends it once it sleeps; the program's limit ends what never comes.
        let script = #"""
            mkfifo "$1/typed" && exec 3<> "$1/typed"
            touch "$1/events"
            "$0" talk --device meta --mock --mic none --speaker none --json < "$1/typed" > "$1/events" &
            talk=$!
            until grep -q '"event":"ready"' "$1/events"; do sleep 0.05; done
            "$0" mock fold >&2
            until grep -q '"event":"wentDormant"' "$1/events"; do sleep 0.05; done
            kill -INT $talk
            wait $talk
            code=$?
            cat "$1/events"
            exit $code
            """#
        let outcome = try await run("/bin/bash", ["-c", script, GlassesProgram.path, root])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let events = try outcome.events()
        #expect(events.named("wentDormant").count == 1)
        #expect(events.named("error").filter { $0["kind"] == "device_lost" }.count == 1)
    }

    @Test(
        "options that do not fit Meta glasses are refused",
        arguments: [
            ["photo", "--mock"], ["photo", "--device", "meta", "--camera", "pattern"],
        ])
    func refuses(_ arguments: [String]) async throws {
        #expect(try await run(GlassesProgram.path, arguments).code == 2)
    }
}
