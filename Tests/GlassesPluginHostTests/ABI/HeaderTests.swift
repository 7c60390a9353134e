import Foundation
import Testing

@testable import GlassesPluginHost

@Suite("The ABI's headers")
struct HeaderTests {
    private static let files: [String] = {
        let names = FileManager.default.enumerator(atPath: CCompiler.headers)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".h") }.sorted()
    }()

    @Test("There are headers to check")
    func areFound() { #expect(Self.files.count >= 11) }

    @Test("Every header compiles alone, as C11, C17 and C++17, without a warning", arguments: files)
    func compilesAlone(_ name: String) async throws {
        let file = CCompiler.headers + "/" + name
        let strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
        for standard in ["c11", "c17"] {
            try await CCompiler.run(["cc", "-std=" + standard] + strict + ["-x", "c", file])
        }
        try await CCompiler.run(["c++", "-std=c++17"] + strict + ["-x", "c++", file])
    }

    @Test("Every header has fewer than 150 lines", arguments: files)
    func isShort(_ name: String) throws {
        let text = try String(contentsOfFile: CCompiler.headers + "/" + name, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
    }

    @Test("Every plugin of the build exports its entry and nothing else")
    func exportsOneSymbol() async throws {
        let libraries = PluginFinder().candidates(at: buildFolder).compactMap(\.libraryPath)
        #expect(libraries.contains(buildFolder + "/libLoopbackTransport.so"))
        for library in libraries {
            let symbols = try await CCompiler.run(["nm", "-D", "-g", "--defined-only", library])
            let names = symbols.split(separator: "\n").compactMap { $0.split(separator: " ").last }
            #expect(names == ["glasses_plugin_entry"], "\(library)")
        }
    }
}
