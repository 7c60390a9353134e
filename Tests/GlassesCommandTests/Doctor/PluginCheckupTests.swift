import GlassesCore
import Testing

@testable import GlassesPluginHost
@testable import glasses

@Suite("Plugins that were refused")
struct PluginCheckupTests {
    private let refused = RefusedPlugin(
        id: "org.extentos.system-device", kinds: [.transport], manifestPath: "/p/plugin.json",
        refusal: .permissions(PluginPermissionError(path: "/p", problem: .writableByOthers)))

    @Test("the doctor says of a needed plugin why it was refused, and only once")
    func neededPlugin() throws {
        var scan = PluginScan()
        scan.refused = [refused]
        let findings = PluginCheckup.findings(scan).filter { $0.subject == "plugin org.extentos.system-device" }
        #expect(findings.map(\.level) == [.failed])
        #expect(findings.first?.text.contains("chmod go-w /p") == true)
        #expect(findings.first?.command == "glasses plugins list")
    }

    @Test("the doctor warns of another refused plugin, and says of an absent one that it is not there")
    func otherPlugin() {
        var other = refused
        other.id = "org.example.other"
        var scan = PluginScan()
        scan.refused = [other]
        let findings = PluginCheckup.findings(scan)
        #expect(findings.map(\.level) == [.failed, .failed, .warning])
        #expect(findings.first?.text == "the system device is not there")
        #expect(findings.last?.text.contains("chmod go-w /p") == true)
    }

    @Test("a missing engine is told with the reason for which its plugin was refused")
    func refusedEngine() throws {
        var engine = refused
        engine.id = "org.extentos.speech-classic"
        engine.kinds = [.stt, .tts]
        let engines = SessionEngines(
            recogniser: nil, voice: nil, voiceActivity: "energy", problem: nil, refused: [engine])
        let problem = try #require(engines.missing(microphone: true, speaker: true))
        #expect(problem.code == "writable_by_others")
        #expect(problem.sentence.contains("org.extentos.speech-classic"))
        #expect(problem.sentence.contains("chmod go-w /p"))
        let absent = SessionEngines(recogniser: nil, voice: nil, voiceActivity: "energy", problem: nil, refused: [])
        #expect(absent.missing(microphone: true, speaker: true)?.code == "engine_unavailable")
    }

    @Test(
        "a device that cannot be connected sends to the plugins unless the device itself is at fault",
        arguments: [
            ("writable_by_others", "glasses plugins list"), ("plugin_not_installed", "glasses plugins list"),
            ("device_missing", "glasses devices"),
        ])
    func command(_ code: String, _ command: String) {
        #expect(Problem(ConnectError.transportFailure(code: code, message: "No.")).command == command)
    }
}
