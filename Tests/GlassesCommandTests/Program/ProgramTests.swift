import GlassesCore
import TestProcess
import Testing

@Suite("The program glasses")
struct ProgramTests {
    @Test(
        "help goes to standard output and is a success",
        arguments: [
            ["--help"], ["help", "talk"], ["say", "--help"], ["listen", "-h"], ["plugins", "list", "--help"],
        ])
    func help(_ arguments: [String]) async throws {
        let outcome = try await GlassesProgram.run(arguments)
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("Usage: glasses "))
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        "a wrong command line is explained on standard error with exit code 2",
        arguments: [[], ["tlak"], ["talk", "--devcie", "null"], ["devices", "now"], ["plugins"], ["say"]])
    func usage(_ arguments: [String]) async throws {
        let outcome = try await GlassesProgram.run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("glasses: "))
        #expect(outcome.errors.contains("See 'glasses help"))
    }

    @Test("the version names the program and the plugin ABI", arguments: ["version", "--version"])
    func version(_ argument: String) async throws {
        let outcome = try await GlassesProgram.run([argument])
        #expect(outcome.code == 0)
        #expect(outcome.output == "glasses \(Extentos.version) (plugin ABI 1.0)\n")
    }

    @Test("the plugin list as JSON holds the plugins of this build")
    func pluginsList() async throws {
        let outcome = try await GlassesProgram.run(["plugins", "list", "--json"])
        #expect(outcome.code == 0)
        let report = try JSONValue(jsonText: outcome.output)
        let ids = report["found"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(Set(ids).isSuperset(of: ["org.extentos.loopback", "org.extentos.system-device"]))
        #expect(report["refused"]?.arrayValue != nil)
    }

    @Test(
        "a device that is not there ends with exit code 3 and the command that helps",
        arguments: [
            ["talk", "--mic", "nonexistent", "--type", "hello"], ["say", "--speaker", "nonexistent", "hello"],
            ["listen", "--mic", "nonexistent"],
        ])
    func missingDevice(_ arguments: [String]) async throws {
        let outcome = try await GlassesProgram.run(arguments)
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("\"nonexistent\" was not found"))
        #expect(outcome.errors.contains("Try: glasses devices"))
    }

    @Test(
        "a recording that is not there or is none ends with exit code 2",
        arguments: ["/nonexistent.wav", "/etc/passwd"])
    func missingRecording(_ path: String) async throws {
        let outcome = try await GlassesProgram.run(["listen", "--file", path])
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("\(path) cannot be recognised"))
    }
}
