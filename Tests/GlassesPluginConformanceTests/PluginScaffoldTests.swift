import Foundation
import GlassesPluginHost
import TestProcess
import Testing

@testable import GlassesPluginConformance

@Suite("A new plugin's package builds outside this repository, and validates")
struct PluginScaffoldTests {
    private func validate(_ path: String) async throws -> ConformanceReport {
        try await Turnstile.shared.pass {
            try await ConformanceRunner(options: .test).run(try PluginPackage(path: path))
        }
    }

    private func build(_ command: [String], limit: Duration) async throws {
        var process = TestProcess("/usr/bin/env", command)
        process.limit = limit
        let outcome = try await process.run()
        #expect(outcome.code == 0, "\(outcome.output.suffix(2_000)) \(outcome.errors.suffix(2_000))")
    }

    @Test("In C, with nothing but a compiler")
    func inC() async throws {
        let folder = try TestFolder()
        let names = try #require(PluginScaffold.Names("my-glasses"))
        let path = folder.path + "/my-glasses"
        let files = try PluginScaffold(language: .c, names: names, runtime: CCompiler.root).make(at: path)
        #expect(Set(files).isSuperset(of: ["Makefile", "plugin.c", "plugin.json", "include/glasses/entry.h"]))
        try await build(["make", "-C", path, "CFLAGS=-O2 -Wall -Wextra -Werror"], limit: .seconds(60))
        let report = try await validate(path)
        #expect(report.isPassed, "\(report.results.filter(\.verdict.isFailure))")
        #expect(report.results.contains { $0.id == "microphone.cycles" && $0.verdict == .pass })
    }

    @Test("In Swift, with this checkout")
    func inSwift() async throws {
        let folder = try TestFolder()
        let names = try #require(PluginScaffold.Names("my-glasses"))
        let path = folder.path + "/my-glasses"
        _ = try PluginScaffold(language: .swift, names: names, runtime: CCompiler.root).make(at: path)
        try await build(["swift", "build", "--package-path", path], limit: .seconds(600))
        let report = try await validate(path + "/.build/debug/libMyGlasses.so")
        #expect(report.isPassed, "\(report.results.filter(\.verdict.isFailure))")
        #expect(report.results.contains { $0.id == "microphone.cycles" && $0.verdict == .pass })
    }

    @Test(
        "A name becomes a folder, a type and a title",
        arguments: [
            ("my-glasses", "my-glasses", "MyGlasses", "My glasses"),
            ("myGlasses", "my-glasses", "MyGlasses", "My glasses"),
            ("Glasses2", "glasses2", "Glasses2", "Glasses2"), ("a_b", "a-b", "AB", "A b"),
        ])
    func names(_ word: String, _ kebab: String, _ camel: String, _ plain: String) throws {
        let names = try #require(PluginScaffold.Names(word))
        #expect((names.kebab, names.camel, names.plain) == (kebab, camel, plain))
    }

    @Test(
        "A word that is no name is refused",
        arguments: ["", "2x", "../x", "a b", "é", "-", "a\"b", String(repeating: "x", count: 49)])
    func refuses(_ word: String) { #expect(PluginScaffold.Names(word) == nil) }

    @Test("A folder that is there is left alone")
    func exists() throws {
        let folder = try TestFolder()
        let names = try #require(PluginScaffold.Names("x"))
        let scaffold = PluginScaffold(language: .c, names: names, runtime: CCompiler.root)
        #expect(throws: PluginScaffoldError.exists(path: folder.path)) { try scaffold.make(at: folder.path) }
    }

    @Test("Without a checkout nothing is made")
    func noRuntime() throws {
        let folder = try TestFolder()
        let names = try #require(PluginScaffold.Names("x"))
        let scaffold = PluginScaffold(language: .c, names: names, runtime: folder.path)
        #expect(throws: PluginScaffoldError.noRuntime) { try scaffold.make(at: folder.path + "/x") }
        #expect(PluginScaffold.runtime(above: folder.path) == nil)
        #expect(PluginScaffold.runtime(above: CCompiler.root + "/Sources/glasses") == CCompiler.root)
    }

    @Test(
        "Each example is shorter than 150 lines",
        arguments: [
            "PluginInC/plugin.c", "PluginInSwift/Sources/HummingDevice/HummingDevice.swift",
        ])
    func isShort(_ file: String) throws {
        let text = try String(contentsOfFile: CCompiler.root + "/Examples/" + file, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    }
}

@Suite("What is written of the ABI is what the headers say")
struct DocumentationTests {
    @Test("The ABI reference is current")
    func reference() async throws {
        let outcome = try await TestProcess(CCompiler.root + "/Scripts/abi-reference", ["--check"]).run()
        #expect(outcome.code == 0, "\(outcome.errors.suffix(2_000))")
    }
}
