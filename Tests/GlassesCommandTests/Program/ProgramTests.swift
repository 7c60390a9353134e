import Foundation
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

    @Test("what say writes to a file, listen recognises")
    func sayAndListen() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("say-\(UUID()).wav").path
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: file) } }
        #expect(try await GlassesProgram.run(["say", "--output", file, "what", "time", "is", "it"]).code == 0)
        let heard = try await GlassesProgram.run(["listen", "--file", file])
        #expect(heard.code == 0)
        #expect(heard.output == "what time is it\n")
        let events = try await GlassesProgram.run(["listen", "--file", file, "--json"]).events()
        #expect(events.named("transcript").map { $0["text"]?.stringValue } == ["what time is it"])
    }

    @Test("say plays through the virtual device in real time")
    func sayOnVirtualDevice() async throws {
        let start = ContinuousClock.now
        #expect(try await GlassesProgram.run(["say", "--device", "null", "one two three four five six"]).code == 0)
        #expect(ContinuousClock.now - start > .seconds(1))
    }

    @Test("an unknown voice is refused with the voices that there are")
    func unknownVoice() async throws {
        let outcome = try await GlassesProgram.run(["say", "--voice", "nobody", "--device", "null", "hello"])
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("there is no voice 'nobody'"))
        #expect(outcome.errors.contains("cmu_us_slt"))
    }

    @Test("the doctor's exit code says whether a check failed, and each failure has a command or a reason")
    func doctor() async throws {
        let outcome = try await GlassesProgram.run(["doctor", "--json"])
        let report = try JSONValue(jsonText: outcome.output)
        let checks = try #require(report["checks"]?.arrayValue)
        let failed = checks.filter { $0["level"] == "failed" }
        #expect(outcome.code == (failed.isEmpty ? 0 : 3))
        #expect(report["ok"] == .bool(failed.isEmpty))
        #expect(failed.allSatisfy { $0["command"]?.stringValue?.isEmpty == false })
        let engines = checks.filter { $0["check"] == "recognition" }
        #expect(engines.map { $0["level"]?.stringValue } == ["ok"])
        #expect(report["audioDestination"]?.stringValue == "Audio stays on this machine.")
    }

    @Test("a check of the devices answers by its exit code and as JSON")
    func devicesCheck() async throws {
        let outcome = try await GlassesProgram.run(["devices", "--check", "--json"])
        let report = try JSONValue(jsonText: outcome.output)
        #expect(report["usable"] == .bool(outcome.code == 0))
        #expect(outcome.code == 0 || outcome.code == 3)
    }

    @Test("the list of devices has those that ALSA always has")
    func devices() async throws {
        let report = try JSONValue(jsonText: try await GlassesProgram.run(["devices", "--json"]).output)
        for kind in ["microphones", "speakers"] {
            let names = report[kind]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
            #expect(names.contains("null"))
        }
        let transports = report["transports"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(transports.contains("org.extentos.system-device"))
    }
}
