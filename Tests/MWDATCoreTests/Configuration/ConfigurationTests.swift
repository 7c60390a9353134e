import Foundation
import TestLink
import Testing

@testable import MWDATCore

struct ConfigurationTests {
    /// What the vendor's guide asks for.
    private static var complete: [String: Any] {
        [
            "CFBundleIdentifier": "com.example.app", "CFBundleName": "Example", "CFBundleShortVersionString": "1.2",
            "CFBundleVersion": "7", "CFBundleURLTypes": [["CFBundleURLSchemes": ["myapp"]]],
            "UISupportedExternalAccessoryProtocols": ["com.meta.ar.wearable"],
            "UIBackgroundModes": ["bluetooth-peripheral", "external-accessory", "bluetooth-central", "processing"],
            "NSBluetoothAlwaysUsageDescription": "To reach your glasses",
            "NSLocalNetworkUsageDescription": "To reach your glasses", "NSBonjourServices": ["_bonjour._tcp"],
            "MWDAT": ["AppLinkURLScheme": "myapp://", "MetaAppID": ""],
        ]
    }

    private static func without(_ key: String) -> [String: Any] { complete.filter { $0.key != key } }

    private static func toolkit(_ values: [String: Any]) -> [String: Any] {
        complete.merging(["MWDAT": ["AppLinkURLScheme": "myapp://"].merging(values) { $1 }]) { $1 }
    }

    @Test func aCompleteDictionaryIsRead() throws {
        let configuration = try Configuration(infoDictionary: Self.complete)
        #expect(
            configuration
                == Configuration(
                    bundleIdentifier: "com.example.app", appName: "Example", appVersion: "1.2", buildNumber: "7",
                    appLinkURLScheme: "myapp://"))
        #expect(Configuration.problems(in: Self.complete).isEmpty)
    }

    @Test(arguments: [
        ("CFBundleIdentifier", ConfigurationError.missingBundleIdentifier), ("CFBundleName", .missingAppName),
        ("CFBundleShortVersionString", .missingAppVersion), ("CFBundleVersion", .missingBuildNumber),
    ])
    func aMissingKeyOfTheBundleIsNamed(_ key: String, _ error: ConfigurationError) {
        #expect(throws: error) { try Configuration(infoDictionary: Self.without(key)) }
        let problems = Configuration.problems(in: Self.without(key))
        #expect(problems.map(\.key) == [key])
        #expect(problems.first?.severity == .preventsUse)
    }

    @Test func anEmptyDictionaryIsNone() {
        #expect(throws: ConfigurationError.missingInfoDictionary) { try Configuration(infoDictionary: [:]) }
        #expect(throws: ConfigurationError.missingInfoDictionary) { try Configuration(infoDictionary: nil) }
    }

    @Test(arguments: [
        "CFBundleURLTypes", "UISupportedExternalAccessoryProtocols", "NSBluetoothAlwaysUsageDescription",
        "NSLocalNetworkUsageDescription", "NSBonjourServices",
    ])
    func aKeyThatOnlyPhonesNeedIsNamed(_ key: String) {
        let problems = Configuration.problems(in: Self.without(key))
        #expect(problems.map(\.key) == [key])
        #expect(problems.map(\.severity) == [.onPhonesOnly])
    }

    @Test func everyMissingBackgroundModeIsNamed() {
        var info = Self.complete
        info["UIBackgroundModes"] = ["bluetooth-peripheral"]
        #expect(Configuration.problems(in: info).count == 3)
    }

    @Test(arguments: [
        "", "myapp", "myapp:", "my_app://", "1app://", "://", "ABCDE12345.myapp://", "my app://", "mäapp://",
        "https://",
    ])
    func aSchemeThatWouldLoseTheCallbackPreventsUse(_ scheme: String) {
        let configuration = Configuration(bundleIdentifier: "a", appName: "A", appLinkURLScheme: scheme)
        #expect(configuration.problems.map(\.key) == ["MWDAT.AppLinkURLScheme"])
        #expect(configuration.problems.map(\.severity) == [.preventsUse])
    }

    @Test(arguments: ["myapp://", "com.example.app://", "a+b-c.d://", "https://example.com/glasses", "Abcde12345://"])
    func aSchemeThatWorksIsAccepted(_ scheme: String) {
        #expect(Configuration(bundleIdentifier: "a", appName: "A", appLinkURLScheme: scheme).problems.isEmpty)
    }

    @Test(arguments: [
        (["MetaAppID": "123", "ClientToken": "AR|123|secret", "TeamID": "ABCDE12345"], []),
        (["MetaAppID": "123"], ["MWDAT.ClientToken", "MWDAT.TeamID"]),
        (["MetaAppID": "123", "ClientToken": "AR|123|secret"], ["MWDAT.TeamID"]),
        (["MetaAppID": "123", "ClientToken": "AR|123|secret", "TeamID": "$(DEVELOPMENT_TEAM)"], ["MWDAT.TeamID"]),
        (["MetaAppID": "123", "ClientToken": "AR|124|secret", "TeamID": "ABCDE12345"], ["MWDAT.ClientToken"]),
        (["MetaAppID": "123", "ClientToken": "secret", "TeamID": "ABCDE12345"], ["MWDAT.ClientToken"]),
        (["MetaAppID": "0", "ClientToken": "AR|0|1", "TeamID": "$(DEVELOPMENT_TEAM)"], []),
    ])
    func aPartialAttestationPreventsRegistration(_ values: [String: String], _ keys: [String]) {
        let problems = Configuration.problems(in: Self.toolkit(values))
        #expect(problems.map(\.key) == keys)
        #expect(problems.allSatisfy { $0.severity == .preventsRegistration })
        #expect(!problems.contains { $0.description.contains("secret") })
    }

    @Test func aRegistrationWithAPartialAttestationIsRefused() async {
        var configuration = Configuration.test
        configuration.metaAppID = "123"
        let hub = WearablesHub.test(TestLink(registration: .available), configuration: configuration)
        await #expect(throws: RegistrationError.configurationInvalid) { try await hub.startRegistration() }
        #expect(hub.readiness().lastRefusals[.registration]?.check == .configuration)
    }

    @Test func theFileIsLookedForWhereTheEnvironmentSaysOrBesideTheExecutable() {
        #expect(InfoPlist.candidates(environment: ["MWDAT_INFO_PLIST": "/x.plist"], executable: "/a/b") == ["/x.plist"])
        #expect(
            InfoPlist.candidates(environment: [:], executable: "/a/app") == ["/a/app-Info.plist", "/a/Info.plist"])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func aFileIsReadInBothForms(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "mwdat-\(UUID().uuidString).plist")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        try PropertyListSerialization.data(fromPropertyList: Self.complete, format: format, options: 0).write(to: file)
        let configuration = try Configuration(infoDictionary: InfoPlist.read(file.path))
        #expect(configuration.appLinkURLScheme == "myapp://")
    }

    @Test(arguments: ["not a property list", "<plist version=\"1.0\"><array/></plist>"])
    func aFileOfAnotherKindIsRefusedWithItsPath(_ text: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "mwdat-\(UUID().uuidString).plist")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        try Data(text.utf8).write(to: file)
        let failure = #expect(throws: InfoPlist.Failure.self) { try InfoPlist.read(file.path) }
        #expect(failure?.description.contains(file.path) == true)
    }
}
