import TestProcess
import Testing

@Suite("Help of the scripts")
struct HelpTests {
    @Test("every script shows its help", arguments: ["check", "check-layers", "demo", "setup", "test"])
    func help(_ name: String) async throws {
        for flag in ["--help", "-h"] {
            let outcome = try await TestProcess(ScriptTree.script(name), [flag]).run()
            #expect(outcome.code == 0)
            #expect(outcome.output.hasPrefix("Usage: Scripts/\(name)"))
        }
    }

    @Test("an unknown option is wrong usage", arguments: ["check", "check-layers", "setup", "test"])
    func unknownOption(_ name: String) async throws {
        let outcome = try await TestProcess(ScriptTree.script(name), ["--unknown"]).run()
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("Usage: Scripts/\(name)"))
    }
}
