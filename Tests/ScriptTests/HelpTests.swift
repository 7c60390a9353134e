import TestProcess
import Testing

@Suite("Help of the scripts")
struct HelpTests {
    static let all = [
        "bench-codec", "bench-plugins", "check", "check-layers", "demo", "docs", "echo-trial", "fuzz", "kill-trial",
        "official-clients",
        "run-tests", "sanitize", "setup", "speech-engines", "test", "word-errors",
    ]

    @Test("every script shows its help", arguments: all)
    func help(_ name: String) async throws {
        for flag in ["--help", "-h"] {
            let outcome = try await TestProcess(ScriptTree.script(name), [flag]).run()
            #expect(outcome.code == 0)
            #expect(outcome.output.hasPrefix("Usage: Scripts/\(name)"))
        }
    }

    @Test("an unknown option is wrong usage", arguments: all.filter { $0 != "demo" })
    func unknownOption(_ name: String) async throws {
        let outcome = try await TestProcess(ScriptTree.script(name), ["--unknown"]).run()
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("Usage: Scripts/\(name)"))
    }
}
