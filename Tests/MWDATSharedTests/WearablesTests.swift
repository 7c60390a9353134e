import Foundation
import MWDATCore
import TestLink
import Testing

extension SharedWearables {
    @Suite(.serialized) struct WearablesTests {
        init() { Wearables.resetForTesting() }

        private static func info(_ toolkit: [String: String]) -> [String: Any] {
            [
                "CFBundleIdentifier": "com.example.app", "CFBundleName": "Example",
                "CFBundleShortVersionString": "1.2", "CFBundleVersion": "7", "MWDAT": toolkit,
            ]
        }

        @Test("Report 5: a second configure() throws and changes nothing") func report5() async throws {
            try Wearables.configure(.test)
            let first = Wearables.sharedIfConfigured as? WearablesHub
            let other = Configuration(bundleIdentifier: "other", appName: "Other", appLinkURLScheme: "other://")
            #expect(throws: WearablesError.alreadyConfigured) { try Wearables.configure(other) }
            #expect(throws: WearablesError.alreadyConfigured) { try Wearables.configure(infoDictionary: [:]) }
            #expect(throws: WearablesError.alreadyConfigured) {
                try Wearables.configure(infoPlist: URL(fileURLWithPath: "/nowhere"))
            }
            #expect(Wearables.shared as? WearablesHub === first)
            #expect(first?.configuration == .test)
            #expect(Wearables.configurationProblems.isEmpty)
        }

        @Test("Report 8: configure() takes an unexpanded MetaAppID") func report8() throws {
            try Wearables.configure(
                infoDictionary: Self.info(["AppLinkURLScheme": "myapp://", "MetaAppID": "$(META_APP_ID)"]))
            #expect(Wearables.sharedIfConfigured != nil)
        }

        @Test("Report 21: configure() refuses a scheme that would lose the callback, and names its key") func report21()
        {
            #expect(throws: WearablesError.configurationError) {
                try Wearables.configure(infoDictionary: Self.info(["AppLinkURLScheme": "ABCDE12345.my.app://"]))
            }
            let problems = Wearables.configurationProblems.filter { $0.severity == .preventsUse }
            #expect(problems.map(\.key) == ["MWDAT.AppLinkURLScheme"])
            #expect(Wearables.readiness().phase == .notConfigured)
            #expect(Wearables.sharedIfConfigured == nil)
        }

        @Test("Report 28: configure() names the accessory protocol that is missing") func report28() throws {
            try Wearables.configure(infoDictionary: Self.info(["AppLinkURLScheme": "myapp://"]))
            let keys = Wearables.readiness().configurationProblems.map(\.key)
            #expect(keys.contains("UISupportedExternalAccessoryProtocols"))
        }

        @Test func aConfigurationThatWasRefusedMayBeTriedAgain() throws {
            #expect(throws: WearablesError.configurationError) { try Wearables.configure(infoDictionary: [:]) }
            #expect(Wearables.configurationProblems.map(\.key) == ["Info.plist"])
            try Wearables.configure(.test)
        }

        @Test func withoutAFileConfigureSaysWhereItLooked() {
            #expect(throws: WearablesError.configurationError) { try Wearables.configure() }
            #expect(Wearables.configurationProblems.first?.message.contains("Info.plist") == true)
        }

        @Test func aFileConfiguresTheToolkit() throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "mwdat-\(UUID().uuidString).plist")
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
            let info = Self.info(["AppLinkURLScheme": "myapp://"])
            try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0).write(to: file)
            try Wearables.configure(infoPlist: file)
            #expect(Wearables.hub?.configuration.appName == "Example")
        }

        @Test func aFileThatCannotBeReadIsAnInternalError() {
            #expect(throws: WearablesError.internalError) {
                try Wearables.configure(infoPlist: URL(fileURLWithPath: "/nowhere/Info.plist"))
            }
            #expect(Wearables.configurationProblems.first?.message.contains("/nowhere/Info.plist") == true)
        }

        @Test func sharedBeforeConfigureEndsTheProcessWithASentence() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Wearables.shared
            }
            let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(output.contains("before Wearables.configure() succeeded"))
        }

        @Test func withoutALinkTheToolkitSaysSo() throws {
            try Wearables.configure(.test)
            let readiness = Wearables.readiness()
            #expect(readiness.phase == .companionUnavailable)
            #expect(readiness.companionRefusal?.message.contains("mock device kit") == true)
            #expect(Wearables.shared.registrationState == .unavailable)
        }

        @Test func aLinkConfiguresTheToolkitWhenNobodyHas() throws {
            let hub = Wearables.use(link: TestLink(), configuration: .test)
            #expect(Wearables.shared as? WearablesHub === hub)
            #expect(Wearables.shared.registrationState == .registered)
            #expect(Wearables.readiness().companion == "test link 1")
            #expect(Wearables.readiness().isReady)
            Wearables.use(link: nil, configuration: .test)
            #expect(Wearables.shared.devices.isEmpty)
        }

        @Test func aSpecificSelectorLooksAtTheProcessesGlasses() async {
            let selector = SpecificDeviceSelector(device: "glasses-1")
            #expect(selector.activeDevice == nil)
            var before: [DeviceIdentifier?] = []
            for await choice in selector.activeDeviceStream() { before.append(choice) }
            #expect(before == [nil])
            Wearables.use(link: TestLink(), configuration: .test)
            #expect(selector.activeDevice == "glasses-1")
        }

        @Test func aCompanionThatIsSetBeforeConfigureIsAsked() async throws {
            struct Agreeing: WearablesCompanion {
                func open(_ request: CompanionRequest) async throws(Refusal) -> URL? { request.agreed() }
            }
            Wearables.use(companion: Agreeing())
            let link = TestLink(registration: .available)
            let hub = Wearables.use(link: link, configuration: .test)
            try await hub.startRegistration()
            hub.settle()
            #expect(link.commands.count == 1)
            #expect(!link.commands.contains(.register(Configuration.test.linkApp)))
        }

        @Test func theBackgroundIsTold() throws {
            try Wearables.configure(.test)
            Wearables.appDidEnterBackground()
            #expect(Wearables.hub?.isAppInBackground == true)
            Wearables.appWillEnterForeground()
            #expect(Wearables.hub?.isAppInBackground == false)
        }
    }
}
