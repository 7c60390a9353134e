import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("The order of engines")
struct PluginRankTests {
    @Test(
        "A rank counts from 0 to 100, and anything else as none",
        arguments: [
            (JSONValue.int(10), 10), (.int(-5), 0), (.int(1_000), 100), (.string("10"), 0), (.null, 0),
        ])
    func ranks(value: JSONValue, expected: Int) throws {
        var manifest = PluginManifest(
            id: "org.example.a", name: "A", version: "1", abi: .host, kinds: [.stt])
        manifest.unknown = ["rank": value]
        #expect(manifest.rank == expected)
        manifest.unknown = [:]
        #expect(manifest.rank == 0)
    }

    @Test("The chosen engine comes first, then the higher rank, then the order of the search path")
    func order() async throws {
        let folders = [try TestFolder(), try TestFolder()]
        for (folder, name, rank) in [(0, "first", 0), (0, "second", 0), (0, "classic", 10), (1, "neural", 100)] {
            try PluginCatalogTests.manifest(
                name, into: folders[folder], changes: ["kinds": ["vad"], "rank": .int(Int64(rank))])
            try await CCompiler.library(
                PluginSources.detector, to: "\(folders[folder].path)/\(name)/lib.so", ["NAME=" + name])
        }
        let host = PluginHost(configuration: .test(folders.map(\.path)))
        let names = { (preferred: String?) in
            await host.engines(kind: .vad, preferred: preferred).map(\.manifest.name)
        }
        #expect(await names(nil) == ["neural", "classic", "first", "second"])
        #expect(await names("org.example.second") == ["second", "neural", "classic", "first"])
        #expect(await names("org.example.classic.some-ear") == ["classic", "neural", "first", "second"])
        #expect(await names("org.example.absent") == ["neural", "classic", "first", "second"])
        #expect(await host.engines(kind: .stt).isEmpty)
    }
}
