import MWDATCore
import MWDATMockDevice

/// Worn glasses that a registered app sees, with numbered pictures for a camera.
@MainActor
func wornGlasses() async throws -> any MockGlasses {
    MockDeviceKit.shared.enable()
    let glasses = try MockDeviceKit.shared.pairGlasses(model: .rayBanMeta)
    glasses.services.camera.setTestPattern()
    glasses.don()
    try await until("the glasses are listed") { !Wearables.shared.devices.isEmpty }
    return glasses
}
