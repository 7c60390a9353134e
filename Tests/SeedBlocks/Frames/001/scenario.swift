import AppleShims
import Foundation
import MWDATCamera
import MWDATCore
import MWDATMockDevice

/// What a person does with the app.
@MainActor
func scenario() async {
    do {
        try await use()
    } catch {
        print("failed: \(error)")
    }
}

@MainActor
private func use() async throws {
    MockDeviceKit.shared.enable(config: MockDeviceKitConfig(initiallyRegistered: false))
    let glasses = try MockDeviceKit.shared.pairGlasses(model: .rayBanMeta)
    glasses.services.camera.setTestPattern()
    glasses.don()

    let wearables = WearablesViewModel()
    wearables.observeState()
    await wearables.register()
    try await until("the app is registered") { wearables.registrationState == .registered }
    print("registration: \(wearables.registrationState)")
    try await until("the glasses are listed") { wearables.devices.count == 1 }
    print("devices: \(wearables.devices.count)")
    if let callback = URL(string: "seeds://?metaWearablesAction=register") { Application.open(callback) }

    let stream = StreamViewModel()
    await stream.startStream()
    try await until("the stream runs") { stream.streamState == "streaming" }
    try await until("a frame arrives") { stream.currentFrame != nil }
    print("frame: \(stream.currentFrame?.width ?? 0) x \(stream.currentFrame?.height ?? 0)")
    stream.capturePhoto()
    try await until("the photo arrives") { stream.capturedPhoto != nil }
    print("photo: \(stream.capturedPhoto.flatMap { UIImage(data: $0) } == nil ? "unreadable" : "JPEG")")
    stream.stopStream()
    try await until("the stream stops") { stream.streamState == "stopped" }
    print("stream: \(stream.streamState)")
    await wearables.unregister()
    try await until("the app is unregistered") { wearables.registrationState == .available }
    print("registration: \(wearables.registrationState)")
}
