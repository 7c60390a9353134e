import Foundation
import GlassesDomain
import GlassesPluginConformance
import GlassesPluginHost
import MWDATMockDevice
import Testing

@Suite("The plugin for Meta glasses breaks no promise of the plugin ABI")
struct MetaDATConformanceTests {
    private let folder = (CommandLine.arguments[0] as NSString).deletingLastPathComponent

    @Test("With worn glasses of a mock kit that has a display")
    func keepsPromises() async throws {
        let glasses = try MockedGlasses(model: .metaRayBanDisplay)
        let path = try #require(glasses.kit.mockLinkPath)
        var options = ConformanceRunner.Options()
        options.program = folder + "/" + ValidatorMain.programName
        options.settings = ["mockLink": .string(path), "audio": "none"]
        // More than the pools need to fill; `glasses plugins validate` makes a thousand.
        options.cycles = 60
        let report = try await ConformanceRunner(options: options).run(
            try PluginPackage(path: folder + "/libMetaDAT.so"))
        let failed = report.results.filter(\.verdict.isFailure)
        #expect(failed.isEmpty, "\(failed)")
        // The glasses' sound is another plugin's, so there is no [audio] thread either; a build folder's manifest has no digest.
        let skipped = report.results.filter { $0.verdict == .skipped && ![.microphone, .speaker].contains($0.subject) }
        #expect(skipped.map(\.id) == ["manifest.digest", "transport.callback-threads"])
        await glasses.end()
    }
}
