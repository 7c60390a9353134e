import GlassesPluginHost
import Testing

@testable import GlassesPluginConformance

@Suite("A plugin that is tried has the rights that its manifest asks for, and no others")
struct CaseRightsTests {
    @Test(
        "A file that the plugin needs can be read when the manifest says so",
        arguments: [([], ConformanceVerdict.fail), (["files:read:"], .pass)] as [([String], ConformanceVerdict)])
    func readsWhatItAsksFor(_ permissions: [String], _ verdict: ConformanceVerdict) async throws {
        let (folder, elsewhere) = (try TestFolder(), try TestFolder())
        try elsewhere.write("needed", "data")
        let file = elsewhere.path + "/needed"
        let texts = permissions.map { "\"\($0)\(file)\"" }.joined(separator: ", ")
        let package = try await BrokenPlugin(kind: .vad, fault: "NEEDS_FILE").make(
            in: folder, manifest: ["permissions": "[\(texts)]"], macros: ["NEEDED=\"\(file)\""])
        var options = ConformanceRunner.Options.test
        options.only = ["entry.activate"]
        let report = try await ConformanceRunner(options: options).run(package)
        #expect(report.results.first { $0.id == "entry.activate" }?.verdict == verdict, "\(report)")
    }
}
