import Foundation
import GlassesDomain
import GlassesPluginConformance
import GlassesPluginHost
import SoundServer
import Testing

@Suite("The plugins of this repository break no promise", .serialized)
struct OwnPluginsTests {
    private let folder = (CommandLine.arguments[0] as NSString).deletingLastPathComponent

    /// `cycles` is what a test run has time for, a device's more than its pools of memory need to fill; `glasses plugins validate` makes a
    /// thousand.
    private func validate(
        _ name: String, settings: JSONValue = [:], width: Int, cycles: Int = 10
    ) async throws -> ConformanceReport {
        var options = ConformanceRunner.Options()
        options.program = folder + "/" + ValidatorMain.programName
        options.settings = settings
        options.cycles = cycles
        options.width = width
        return try await ConformanceRunner(options: options).run(try PluginPackage(path: "\(folder)/lib\(name).so"))
    }

    /// Only what a build folder or the machine cannot have may be left out.
    private func check(_ report: ConformanceReport, skips: [String]) {
        let failed = report.results.filter(\.verdict.isFailure)
        #expect(failed.isEmpty, "\(failed)")
        #expect(report.results.filter { $0.verdict == .skipped }.map(\.id) == skips)
    }

    @Test("SystemDevice, with a sound server and the test pattern")
    func systemDevice() async throws {
        try await PrivatePulse.with { pulse in
            // Without a reader a null sink holds each new stream back for seconds, which no device does.
            let readers = [
                try await MonitorRecording(pulse, device: "spk.monitor"),
                try await MonitorRecording(pulse, device: "mic.monitor"),
            ]
            defer { for reader in readers { reader.stop() } }
            let settings: JSONValue = [
                "microphone": .string(pulse.microphone), "speaker": .string(pulse.speaker), "camera": "pattern",
            ]
            let report = try await validate("SystemDevice", settings: settings, width: 4, cycles: 60)
            let absent: [ConformanceSubject] = [.display, .registration, .power, .input]
            let others = report.results.filter { absent.contains($0.subject) }.map(\.id)
            check(report, skips: ["manifest.digest", "camera.one-photo"] + others)
        }
    }

    @Test("SpeechClassic, with the recogniser and the voices of this machine")
    func speechClassic() async throws {
        let report = try await validate("SpeechClassic", width: 2)
        check(report, skips: ["manifest.digest", "manifest.capabilities"])
    }

    @Test("SpeechNeural, with the engines that set-up fetches")
    func speechNeural() async throws {
        let report = try await validate("SpeechNeural", width: 2)
        check(report, skips: ["manifest.digest", "manifest.capabilities"])
    }
}
