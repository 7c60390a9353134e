import MWDATCamera
import MWDATCore

let glasses = try await wornGlasses()
observeDevices()
let availability = Availability()
availability.observe()
try await until("the glasses are active") { availability.hasActiveDevice }
print("active: \(availability.hasActiveDevice)")

let session = try observeSession()
try await until("the session starts") { session.state == .started }
print("session: \(session.state)")

let frames = Counter()
var camera: Camera?
var tokens: [any AnyListenerToken] = []
try addCamera(session) { added, token in
    camera = added
    tokens = [token, added.stream.videoFramePublisher.listen { _ in frames.add() }]
}
camera?.stream.start()
try await until("frames arrive") { frames.count > 2 }
print("stream: \(camera.map { "\($0.stream.state)" } ?? "none")")

glasses.services.captouch.tap()
try await until("the wearer pauses") { session.state == .paused }
print("session: \(session.state)")
glasses.services.captouch.tap()
try await until("the wearer goes on") { session.state == .started }
glasses.fold()
try await until("the session ends") { session.state == .stopped && !availability.hasActiveDevice }
print("session: \(session.state), active: \(availability.hasActiveDevice)")
start(session, showGlassesAppUpdatePrompt: { print("update") }, showError: { print("error: \($0)") })
withExtendedLifetime(tokens) {}
