import Foundation
import MWDATCore
import MWDATMockDevice
import MWDATMockDeviceTestClient
import Testing

/// Every documented name of the kit, as an app writes it: this file sees what is public alone. Most of it only has to compile.
@Suite("The documented names of the mock device kit")
struct DocumentedNamesTests {
    @Test("The models are those that are documented, and print as their names")
    func models() {
        let models: [GlassesModel] = [
            .rayBanMeta, .oakleyMetaHSTN, .oakleyMetaVanguard, .rayBanMetaOptics, .metaGlasses, .metaRayBanDisplay,
        ]
        #expect(GlassesModel.allCases == models)
        #expect(models.map { "\($0)" } == models.map(\.rawValue))
        #expect(CameraFacing.allCases == [.front, .back])
    }

    @Test("Errors have a sentence each, and print as their names")
    func errors() {
        let errors: [MockDeviceKitError] = [.unknown, .notEnabled, .testServerUnavailable]
        #expect(Set(errors.map(\.description)).count == 3)
        #expect(errors.map { $0.localizedDescription } == errors.map(\.description))
    }

    @Test("A configuration is registered and allowed unless it says otherwise")
    func configuration() {
        let usual = MockDeviceKitConfig()
        #expect(usual.initiallyRegistered && usual.initialPermissionsGranted)
        let other = MockDeviceKitConfig(initiallyRegistered: false, initialPermissionsGranted: false)
        #expect(!other.initiallyRegistered && !other.initialPermissionsGranted)
    }

    /// Compiled and not called: each call as the vendor's documentation has it.
    private func newest(_ kit: any MockDeviceKitInterface, file: URL) throws(MockDeviceKitError) {
        kit.enable(config: MockDeviceKitConfig(initiallyRegistered: true, initialPermissionsGranted: true))
        kit.enable()
        let glasses: any MockGlasses = try kit.pairGlasses(model: .rayBanMeta)
        let device: any MockDevice = glasses
        let identifier: DeviceIdentifier = device.deviceIdentifier
        _ = (kit.isEnabled, kit.pairedDevices as [any MockDevice], identifier)
        kit.permissions.set(.camera, .granted)
        kit.permissions.setRequestResult(.camera, result: .denied)
        device.powerOn()
        glasses.unfold()
        device.don()
        device.doff()
        glasses.fold()
        device.powerOff()
        device.setBatteryLevel(50)
        device.setChargingState(.charging)
        device.setThermalLevel(.critical)
        let services: any MockGlassesServices = glasses.services
        let camera: any MockCameraKit = services.camera
        camera.setCameraFeed(fileURL: file)
        camera.setCameraFeed(cameraFacing: .back)
        camera.setCapturedImage(fileURL: file)
        let captouch: any MockCaptouchKit = services.captouch
        captouch.tap()
        captouch.tapAndHold()
        let display: any MockDisplayKit = services.display
        _ = display.createPreviewView()
        display.sendClick(identifier: "e1")
        kit.unpairDevice(device)
        kit.stopTestServer()
        kit.disable()
    }

    private func asynchronous(_ kit: any MockDeviceKitInterface, _ device: any MockDevice) async throws {
        let port: UInt16 = try await kit.startTestServer(portFilePath: nil)
        _ = try await kit.startTestServer(port: port, portFilePath: "/a/port")
        await kit.unpairDevice(device)
        await kit.disable()
    }

    private func client(_ client: MockDeviceTestClient) {
        let paired: String? = client.pairDevice()
        let device = paired ?? ""
        client.powerOn(deviceId: device)
        client.powerOff(deviceId: device)
        client.don(deviceId: device)
        client.doff(deviceId: device)
        client.fold(deviceId: device)
        client.unfold(deviceId: device)
        client.captouchTap(deviceId: device)
        client.captouchTapAndHold(deviceId: device)
        client.setCameraFeed(deviceId: device, resourceName: "film", ext: "mp4")
        client.setCapturedImage(deviceId: device, resourceName: "photo", ext: "png")
        client.sendLaunchAppAction(deviceId: device)
        client.sendIncompleteAction(deviceId: device)
        client.unpairDevice(deviceId: device)
        let state: [String: Any]? = client.getDeviceState()
        _ = (state, client.healthCheck(), client.waitForServer(timeout: 1))
    }

    @available(*, deprecated, message: "It is about deprecated names.")
    private func older(_ kit: any MockDeviceKitInterface, file: URL) async {
        let device: any MockRaybanMeta = kit.pairRaybanMeta()
        let glasses: any MockDisplaylessGlasses = device
        let services: any MockDisplaylessGlassesServices = glasses.services
        services.camera.setCameraFeed(fileURL: file)
        let camera = glasses.getCameraKit()
        camera.setCapturedImage(fileURL: file)
    }
}
