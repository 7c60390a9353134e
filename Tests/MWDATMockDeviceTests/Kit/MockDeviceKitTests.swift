import Foundation
import MWDATCore
import Testing

@testable import MWDATMockDevice

@Suite("The mock device kit and the toolkit")
struct MockDeviceKitTests {
    @Test("enable: the app is registered, and nothing is paired")
    func enable() async throws {
        let app = MockApp()
        #expect(!app.kit.isEnabled)
        app.kit.enable()
        try await waitUntil { app.hub.registrationState == .registered ? true : nil }
        #expect(app.kit.isEnabled && app.kit.pairedDevices.isEmpty && app.hub.devices.isEmpty)
        app.end()
        #expect(!app.kit.isEnabled)
    }

    @Test("enable(initiallyRegistered: false): startRegistration completes without a companion")
    func register() async throws {
        let app = MockApp()
        app.kit.enable(config: MockDeviceKitConfig(initiallyRegistered: false))
        #expect(app.hub.registrationState == .unavailable)
        try await waitUntil { app.hub.readiness().companionRefusal == nil ? true : nil }
        try await app.hub.startRegistration()
        #expect(app.hub.registrationState == .registered)
        try await app.hub.startUnregistration()
        #expect(app.hub.registrationState == .available)
        app.end()
    }

    @Test("What a companion of the app's own allows is allowed on the mock glasses too", arguments: [true, false])
    func ownCompanion(agrees: Bool) async throws {
        let app = MockApp()
        app.kit.enable(config: MockDeviceKitConfig(initiallyRegistered: false, initialPermissionsGranted: false))
        let glasses = try app.kit.pairGlasses(model: .rayBanMeta)
        glasses.don()
        try await waitUntil { app.hub.readiness().companionRefusal == nil ? true : nil }
        app.hub.use(companion: Agreeing())
        try await app.hub.startRegistration()
        try await waitUntil { app.hub.devices.contains(glasses.deviceIdentifier) ? true : nil }
        app.hub.use(companion: agrees ? Agreeing() : Declining())
        #expect(try await app.hub.requestPermission(.camera) == (agrees ? .granted : .denied))
        #expect(try await app.hub.checkPermissionStatus(.camera) == (agrees ? .granted : .denied))
        app.hub.use(companion: Agreeing())
        try await app.hub.startUnregistration()
        try await waitUntil { app.hub.devices.isEmpty ? true : nil }
        app.end()
    }

    @Test("pairGlasses while disabled is refused", arguments: GlassesModel.allCases)
    func pairWhileDisabled(model: GlassesModel) {
        let app = MockApp()
        #expect(throws: MockDeviceKitError.notEnabled) { try app.kit.pairGlasses(model: model) }
        #expect(app.kit.pairedDevices.isEmpty)
        app.end()
    }

    @Test("Every model is listed as what it is, with an identifier of its own", arguments: GlassesModel.allCases)
    func models(model: GlassesModel) async throws {
        let (app, glasses) = try MockApp.worn(model: model)
        let device = try await waitUntil { app.hub.deviceForIdentifier(glasses.deviceIdentifier) }
        #expect(device.deviceType().rawValue == model.rawValue)
        #expect(device.supportsDisplay() == (model == .metaRayBanDisplay))
        app.end()
    }

    @Test("A live device tells battery, charging, temperature, hinges and wearing, and each change of them")
    func deviceState() async throws {
        let (app, glasses) = try MockApp.worn()
        let device = try await waitUntil { app.hub.deviceForIdentifier(glasses.deviceIdentifier) }
        glasses.setBatteryLevel(42)
        glasses.setChargingState(.charging)
        glasses.setThermalLevel(.moderate)
        glasses.doff()
        try await waitUntil { device.donState == .doffed ? true : nil }
        #expect(device.batteryLevel == 42 && device.chargingState == .charging)
        #expect(device.thermalLevel == .moderate && device.hingeState == .open)
        glasses.fold()
        try await waitUntil { device.linkState == .disconnected && device.hingeState == .closed ? true : nil }
        app.end()
    }

    @Test("Permissions are as they were set, and requests as their results")
    func permissions() async throws {
        let app = MockApp()
        app.kit.enable(config: MockDeviceKitConfig(initialPermissionsGranted: false))
        try app.kit.pairGlasses(model: .rayBanMeta).don()
        try await waitUntil { app.hub.devices.count == 1 ? true : nil }
        #expect(try await app.hub.checkPermissionStatus(.camera) == .denied)
        app.kit.permissions.setRequestResult(.camera, result: .denied)
        #expect(try await app.hub.requestPermission(.camera) == .denied)
        app.kit.permissions.set(.camera, .granted)
        #expect(try await app.hub.checkPermissionStatus(.camera) == .granted)
        #expect(try await app.hub.requestPermission(.camera) == .granted)
        #expect(try await app.hub.requestPermission(.microphone) == .granted)
        app.end()
    }

    @Test("disable ends sessions, unpairs, and takes the link away")
    func disable() async throws {
        let (app, glasses) = try MockApp.worn()
        let session = try await app.startedSession(on: glasses)
        await app.kit.disable()
        await session.waitUntilStopped()
        #expect(session.endReason != nil)
        #expect(app.kit.pairedDevices.isEmpty)
        try await waitUntil { app.hub.devices.isEmpty ? true : nil }
        app.end()
    }

    @Test("enable when enabled begins anew")
    func enableTwice() async throws {
        let (app, glasses) = try MockApp.worn()
        let session = try await app.startedSession(on: glasses)
        app.kit.enable()
        await session.waitUntilStopped()
        #expect(app.kit.pairedDevices.isEmpty && app.kit.isEnabled)
        try app.kit.pairGlasses(model: .rayBanMeta).don()
        try await waitUntil { app.hub.devices.count == 1 ? true : nil }
        app.end()
    }

    @Test("unpairDevice ends the session, and the glasses leave the list")
    func unpair() async throws {
        let (app, glasses) = try MockApp.worn()
        let session = try await app.startedSession(on: glasses)
        await app.kit.unpairDevice(glasses)
        await session.waitUntilStopped()
        #expect(app.kit.pairedDevices.isEmpty)
        try await waitUntil { app.hub.devices.isEmpty ? true : nil }
        app.end()
    }

    @Test("Any number of glasses can be paired")
    func many() async throws {
        let app = MockApp()
        app.kit.enable()
        for _ in 0..<5 { try app.kit.pairGlasses(model: .metaGlasses).don() }
        try await waitUntil { app.hub.devices.count == 5 ? true : nil }
        #expect(app.hub.devices == app.kit.pairedDevices.map(\.deviceIdentifier))
        app.end()
    }

    @Test("The names of the first eras work")
    @available(*, deprecated, message: "It is about deprecated names.")
    func olderNames() async throws {
        let app = MockApp()
        let glasses: any MockRaybanMeta = app.kit.pairRaybanMeta()
        #expect(app.kit.isEnabled)
        let camera: any MockCameraKit = glasses.getCameraKit()
        camera.setTestPattern()
        let displayless: any MockDisplaylessGlasses = glasses
        let services: any MockDisplaylessGlassesServices = displayless.services
        services.captouch.tap()
        app.end()
    }

    @Test("Another process reaches the kit at its socket, until it is disabled")
    func socket() async throws {
        let (app, glasses) = try MockApp.worn()
        let path = try #require(app.kit.mockLinkPath)
        let hub = WearablesHub(link: RemoteLink(mockLink: path, name: "test"), configuration: .mockDeviceKit)
        try await waitUntil { hub.devices == [glasses.deviceIdentifier] ? true : nil }
        await app.kit.disable()
        #expect(app.kit.mockLinkPath == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        hub.shutDown()
        app.end()
    }

    @Test("The display's preview shows the view's texts, and a click reaches it")
    func preview() async throws {
        let app = MockApp()
        app.kit.enable()
        let glasses = try app.kit.pairGlasses(model: .metaRayBanDisplay)
        #expect(glasses.services.display.createPreviewView().tree == nil)
        let recorder = MockLink(stage: app.kit.stage)
        let taps = Taps()
        recorder.open { taps.note($0) }
        glasses.don()
        recorder.send(.openSession(1, device: glasses.deviceIdentifier, takesOver: false))
        recorder.send(.startDisplay(1))
        let tree =
            #"{"kind":"flexBox","children":[{"kind":"text","text":"Hello"},{"kind":"button","id":"b1","text":"Go"}]}"#
        recorder.send(.showView(1, 2, tree: Data(tree.utf8)))
        let preview = glasses.services.display.createPreviewView()
        #expect(preview.texts == ["Hello", "Go"] && preview.identifiers == ["b1"])
        #expect("\(preview)" == "Hello\nGo")
        glasses.services.display.sendClick(identifier: "b1")
        try await waitUntil { taps.elements == ["b1"] ? true : nil }
        recorder.close()
        app.end()
    }
}

private struct Agreeing: WearablesCompanion {
    func open(_ request: CompanionRequest) async throws(Refusal) -> URL? { request.agreed() }
}

private struct Declining: WearablesCompanion {
    func open(_ request: CompanionRequest) async throws(Refusal) -> URL? { request.declined() }
}
