import Foundation
import MWDATCamera
import MWDATCore
import MWDATMockDevice

configureWearables()
MockDeviceKit.shared.enable(
    config: MockDeviceKitConfig(initiallyRegistered: false, initialPermissionsGranted: false))
let glasses = try MockDeviceKit.shared.pairGlasses(model: .rayBanMeta)
glasses.services.camera.setTestPattern()
glasses.don()
observe()
try startRegistration()
try await until("the app is registered") { Wearables.shared.registrationState == .registered }
print("registration: \(Wearables.shared.registrationState)")
try await handleWearablesCallback(url: URL(fileURLWithPath: "/not-a-callback"))

try await until("the glasses are listed") { !Wearables.shared.devices.isEmpty }
print("permission: \(try await cameraPermission(Wearables.shared))")

let preview = Preview(Wearables.shared)
let frames = Counter()
let frameToken = preview.session.videoFramePublisher.listen { _ in frames.add() }
try await until("frames arrive") { frames.count > 2 }
print("stream: \(preview.session.state)")
let photos = Counter()
let photoToken = preview.session.photoDataPublisher.listen { photo in if photo.format == .jpeg { photos.add() } }
takePhoto(preview.session)
try await until("the photo arrives") { photos.count == 1 }
print("photos: \(photos.count)")

preview.session.stop()
try await until("the stream stops") { preview.session.state == .stopped }
print("stream: \(preview.session.state)")
try startUnregistration()
try await until("the app is unregistered") { Wearables.shared.registrationState == .available }
print("registration: \(Wearables.shared.registrationState)")
withExtendedLifetime((frameToken, photoToken)) {}
