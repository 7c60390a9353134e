import Foundation
import MWDATCore
import TestLink
import Testing

/// Public reports about registration and permissions, by their number in the list of reports.
struct RegistrationReportTests {
    private let clock = ManualTimekeeper()

    private func hub(_ link: TestLink, _ configuration: Configuration = .test) -> WearablesHub {
        .test(link, timekeeper: clock, configuration: configuration)
    }

    @Test("Report 2: a registration whose callback never comes times out and is available again") func report2() async {
        let link = TestLink(registration: .available)
        link.ignore { if case .register = $0 { true } else { false } }
        let hub = hub(link)
        let end = Task { try await hub.startRegistration() }
        while hub.registrationState != .registering { await Task.yield() }
        clock.advance(by: .seconds(60))
        await #expect(throws: RegistrationError.timeout) { try await end.value }
        #expect(hub.registrationState == .available)
    }

    @Test(
        "Report 8: an empty, zero or unexpanded MetaAppID means Developer Mode",
        arguments: ["", "0", " ", "$(META_APP_ID)"])
    func report8(_ identifier: String) async throws {
        var configuration = Configuration.test
        configuration.metaAppID = identifier
        #expect(configuration.isDeveloperMode)
        #expect(configuration.problems.isEmpty)
        let hub = hub(TestLink(registration: .available), configuration)
        try await hub.startRegistration()
        #expect(hub.registrationState == .registered)
    }

    @Test("Report 9: a companion that ends a registration silently makes it throw") func report9() async {
        let link = TestLink(registration: .available)
        link.answer {
            guard case .register = $0 else { return nil }
            return [.registration(.registering, nil), .registration(.available, nil)]
        }
        let hub = hub(link)
        await #expect(throws: RegistrationError.unknown) { try await hub.startRegistration() }
        #expect(hub.readiness().lastRefusals[.registration]?.message.contains("Developer Mode") == true)
    }

    @Test("Report 12: waiting for approval, for devices and for a fit device are told apart") func report12() async {
        let link = TestLink(registration: .available, devices: [])
        link.ignore { if case .register = $0 { true } else { false } }
        let hub = hub(link)
        #expect(hub.readiness().phase == .notRegistered)
        let end = Task { try await hub.startRegistration() }
        while hub.registrationState != .registering { await Task.yield() }
        #expect(hub.readiness().phase == .waitingForApproval)
        link.deliver(.registration(.registered, nil))
        await #expect(throws: Never.self) { try await end.value }
        #expect(hub.readiness().phase == .waitingForDevices)
        link.deliver(.devices([.test { $0.donState = .doffed }]))
        #expect(hub.readiness().phase == .waitingForEligibleDevice)
        link.deliver(.device(.test()))
        #expect(hub.readiness().phase == .ready)
        link.deliver(.unavailable(Refusal(.network, "offline", isRetryable: true)))
        #expect(hub.readiness().phase == .companionUnavailable)
    }

    @Test("Report 13: registration errors say whether a retry makes sense") func report13() {
        let fatal = RegistrationError.allCases.filter { !$0.isRetryable }
        #expect(fatal == [.alreadyRegistered, .configurationInvalid])
        #expect(
            UnregistrationError.allCases.filter { !$0.isRetryable } == [.alreadyUnregistered, .configurationInvalid])
        // A retry while the person is asked joins, and does not reset what is under way.
        let link = TestLink(registration: .available)
        link.ignore { if case .register = $0 { true } else { false } }
        let hub = hub(link)
        for _ in 0..<2 { #expect(throws: Never.self) { () throws in try hub.startRegistration() } }
        hub.settle()
        #expect(link.commands == [.register(Configuration.test.linkApp)])
    }

    @Test("Report 15: states print as their cases' names") func report15() {
        #expect(
            RegistrationState.allCases.map { "\($0)" } == ["unavailable", "available", "registering", "registered"])
        #expect(
            SessionState.allCases.map { "\($0)" } == ["stopped", "waitingForDevice", "running", "paused", "unknown"])
        #expect(
            DeviceSessionState.allCases.map { "\($0)" } == [
                "idle", "starting", "started", "paused", "stopping", "stopped",
            ])
        #expect(
            "\(RegistrationError.metaAINotInstalled) \(DeviceSessionError.sessionIdle)"
                == "metaAINotInstalled sessionIdle")
    }

    @Test("Report 18: after the first registration glasses appear without a restart") func report18Devices()
        async throws
    {
        let link = TestLink(registration: .available, devices: [.test()])
        let hub = hub(link)
        var lists = hub.devicesStream().makeAsyncIterator()
        #expect(await lists.next() == [])
        try await hub.startRegistration()
        #expect(await lists.next() == ["glasses-1"])
        #expect(hub.deviceForIdentifier("glasses-1")?.linkState == .connected)
    }

    @Test("Report 18: a permission that is granted after the time-out still counts") func report18Permission()
        async throws
    {
        let link = TestLink()
        link.answer { if case .checkPermission(_, let id) = $0 { [.permission(id, .denied)] } else { nil } }
        link.ignore { if case .requestPermission = $0 { true } else { false } }
        let hub = hub(link)
        let first = Task { try await hub.requestPermission(.camera) }
        while !link.commands.contains(where: { if case .requestPermission = $0 { true } else { false } }) {
            await Task.yield()
        }
        clock.advance(by: .seconds(60))
        await #expect(throws: PermissionError.requestTimeout) { try await first.value }
        let url = try #require(URL(string: "testapp://?metaWearablesAction=permission&permission_granted=true"))
        #expect(try await hub.handleUrl(url))
        #expect(hub.readiness().permissions == [.camera: .granted])
        #expect(try await hub.requestPermission(.camera) == .granted)
    }

    @Test("Report 19: the active device is told without a restart") func report19() async throws {
        let link = TestLink(registration: .available, devices: [])
        let hub = hub(link)
        let selector = AutoDeviceSelector(wearables: hub)
        var choices = selector.activeDeviceStream().makeAsyncIterator()
        #expect(await choices.next() == .some(nil))
        try await hub.startRegistration()
        link.deliver(.devices([.test { $0.linkState = .connecting }]))
        link.deliver(.device(.test()))
        #expect(await choices.next() == .some("glasses-1"))
    }

    @Test("Report 19: missing keys are named") func report19Keys() {
        let problems = Configuration.problems(in: [
            "CFBundleIdentifier": "a", "CFBundleName": "A", "CFBundleShortVersionString": "1", "CFBundleVersion": "1",
            "MWDAT": ["AppLinkURLScheme": "a://"],
        ])
        let keys = Set(problems.map(\.key))
        #expect(keys.isSuperset(of: ["UIBackgroundModes", "NSLocalNetworkUsageDescription", "NSBonjourServices"]))
    }

    @Test("Report 21: a scheme with a team's identifier is refused before it can lose the callback") func report21()
        async
    {
        var configuration = Configuration.test
        configuration.appLinkURLScheme = "ABCDE12345.com.example://"
        #expect(configuration.problems.map(\.key) == ["MWDAT.AppLinkURLScheme"])
        let hub = hub(TestLink(registration: .available), configuration)
        await #expect(throws: RegistrationError.configurationInvalid) { try await hub.startRegistration() }
    }

    @Test("Report 28: a missing accessory protocol is named") func report28() {
        let problems = Configuration.problems(in: [
            "CFBundleIdentifier": "a", "CFBundleName": "A", "CFBundleShortVersionString": "1", "CFBundleVersion": "1",
            "MWDAT": ["AppLinkURLScheme": "a://"],
        ])
        let found = problems.first { $0.key == "UISupportedExternalAccessoryProtocols" }
        #expect(found?.message.contains("com.meta.ar.wearable") == true)
    }

    @Test("Report 31: an app that lost the glasses' trust is available again, with the reason") func report31() throws {
        let link = TestLink()
        let hub = hub(link)
        let session = try hub.createSession(deviceSelector: AutoDeviceSelector(wearables: hub))
        try session.start()
        hub.settle()
        let lost = Refusal(.trust, "The app is not in the manifest any more.", isRetryable: true)
        let errors = Log<DeviceSessionError>()
        _ = session.errorPublisher.listen { errors.append($0) }
        link.deliver(.registration(.available, lost))
        hub.settle()
        #expect(hub.registrationState == .available)
        #expect(session.state == .stopped)
        #expect(errors.all == [.unexpectedError(lost.message)])
        #expect(session.endReason == lost)
        #expect(throws: DeviceSessionError.noEligibleDevice) {
            try hub.createSession(deviceSelector: SpecificDeviceSelector(device: "glasses-1"))
        }
        #expect(hub.readiness().lastRefusals[.session]?.check == .trust)
    }
}
