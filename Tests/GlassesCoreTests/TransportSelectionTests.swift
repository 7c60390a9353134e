import Foundation
import GlassesDomain
import Testing

@testable import GlassesCore

@Suite struct TransportSelectionTests {
    @Test(arguments: [
        (TransportChoice.auto, "org.extentos.system-device", "fallback_default"),
        (.realMeta, "org.extentos.meta-dat", "explicit_config"),
        (.systemAudio, "org.extentos.system-device", "explicit_config"),
        (.simulated(.local), "org.extentos.simulator", "explicit_config"),
        (.plugin(id: "com.example.glasses"), "com.example.glasses", "explicit_config"),
    ])
    func eachChoiceLeadsToItsPluginAndNamesTheReason(choice: TransportChoice, id: String, source: String) {
        let selection = TransportSelection(choice)
        #expect(selection.pluginID == id)
        #expect(selection.source == source)
    }

    @Test func autoTakesMetaGlassesThatAreThere() {
        let selection = TransportSelection(.auto, .init(hasMetaDevice: true))
        #expect(selection.pluginID == "org.extentos.meta-dat")
        #expect(selection.source == "bonded_devices")
    }

    @Test func metaGlassesGetTheSystemDevicesSoundUnlessTheSettingsSayOtherwise() {
        #expect(TransportSelection(.realMeta).sound == .init(pluginID: "org.extentos.system-device"))
        let settings: [String: JSONValue] = ["audio": "x", "audioSettings": ["a": 1], "display": true]
        let selection = TransportSelection(.plugin(id: "org.extentos.meta-dat", settings: settings))
        #expect(selection.sound == .init(pluginID: "x", settings: ["a": 1]))
        #expect(selection.settings == ["display": true])
        let silent = TransportSelection(.plugin(id: "org.extentos.meta-dat", settings: ["audio": "none"]))
        #expect(silent.sound == nil && silent.settings.isEmpty)
        #expect(TransportSelection(.systemAudio).sound == nil)
    }

    @Test func theBrowserSimulatorGetsItsAddressAndAPluginItsSettings() throws {
        let url = try #require(URL(string: "http://127.0.0.1:1234/session"))
        #expect(
            TransportSelection(.simulated(.browser(url: url))).settings["url"]
                == .string(url.absoluteString))
        let settings: [String: JSONValue] = ["microphone": "hw:1"]
        #expect(
            TransportSelection(.plugin(id: "x", settings: settings)).settings == settings)
    }

    @Test(arguments: [
        (
            ExtentosEnvironment.production, ExtentosEnvironment?.some(.development), ExtentosEnvironment.development,
            true
        ),
        (.development, .some(.production), .development, false), (.beta, nil, .beta, false),
        (.beta, .some(.beta), .beta, false),
    ])
    func anEnvironmentIsLoweredToWhatTheBuildIsAndNeverRaised(
        declared: ExtentosEnvironment, classified: ExtentosEnvironment?, effective: ExtentosEnvironment, warns: Bool
    ) {
        let result = BuildEnvironment.reconcile(declared: declared, classified: classified)
        #expect(result.effective == effective)
        #expect((result.mismatch != nil) == warns)
    }
}
