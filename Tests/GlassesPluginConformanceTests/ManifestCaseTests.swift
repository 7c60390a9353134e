import Foundation
import GlassesPluginHost
import Testing

@testable import GlassesPluginConformance

@Suite("A manifest that breaks a rule is found by its case")
struct ManifestCaseTests {
    private func results(_ manifest: [String: String]) async throws -> [ConformanceResult] {
        try await Turnstile.shared.pass {
            let folder = try TestFolder()
            let package = try await BrokenPlugin(kind: .tts, fault: "INTACT").make(in: folder, manifest: manifest)
            var options = ConformanceRunner.Options.test
            options.only = ["manifest.readable", "manifest.digest", "manifest.exports", "entry.activate"]
            return try await ConformanceRunner(options: options).run(package).results
        }
    }

    @Test("A key of the wrong kind fails manifest.readable, and nothing else is tried")
    func unreadable() async throws {
        let results = try await results(["version": "1"])
        #expect(results.map(\.verdict) == [.fail] + Array(repeating: .skipped, count: results.count - 1))
        #expect(results.first?.reason?.contains("\"version\" has to be a text") == true)
    }

    @Test("A digest of another library fails manifest.digest")
    func digest() async throws {
        let results = try await results(["sha256": "\"\(String(repeating: "0", count: 64))\""])
        #expect(results.filter(\.verdict.isFailure).map(\.id) == ["manifest.digest"])
    }
}

@Suite("A run says what it cannot do")
struct ConformanceRunnerTests {
    @Test("A name that is no promise is refused")
    func unknownCase() async throws {
        let folder = try TestFolder()
        let package = try await BrokenPlugin(kind: .tts, fault: "INTACT").make(in: folder)
        var options = ConformanceRunner.Options.test
        options.only = ["tts.nothing"]
        let runner = ConformanceRunner(options: options)
        await #expect(throws: ConformanceError.unknownCase("tts.nothing")) { try await runner.run(package) }
    }

    @Test("A validator program that cannot be started is told with the system's reason")
    func missingProgram() async throws {
        let package = try PluginPackage(path: buildFolder + "/libLoopbackTransport.so")
        var options = ConformanceRunner.Options.test
        options.program = "/nonexistent/validator"
        let runner = ConformanceRunner(options: options)
        await #expect(throws: ConformanceError.notStarted(ENOENT)) { try await runner.run(package) }
    }
}
