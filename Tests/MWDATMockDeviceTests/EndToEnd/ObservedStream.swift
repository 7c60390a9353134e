import Foundation
import MWDATCamera
import MWDATCore
import Synchronization

@testable import MWDATMockDevice

/// A session with a camera and a stream, and everything that an app is told of them.
final class ObservedStream: Sendable {
    /// What an app was told so far.
    struct Told: Sendable {
        var session: [DeviceSessionState] = []
        var sessionErrors: [DeviceSessionError] = []
        var stream: [StreamState] = []
        var failures: [StreamFailure] = []
        var frames = 0
        var photos: [PhotoData] = []
    }

    private final class Notes: Sendable {
        let told = Mutex(Told())
    }

    let session: DeviceSession
    let camera: Camera
    private let notes = Notes()
    private let tokens: [any AnyListenerToken]

    /// A stream that runs on these glasses.
    init(
        _ app: MockApp, _ glasses: any MockGlasses,
        _ configuration: StreamConfiguration = StreamConfiguration(videoCodec: .raw, resolution: .low, frameRate: 30)
    ) async throws {
        session = try await app.startedSession(on: glasses)
        guard let camera = try session.addCamera(config: configuration) else {
            throw LinkRecorder.Timeout(waitedFor: "a camera")
        }
        self.camera = camera
        let stream = camera.stream
        tokens = [
            session.statePublisher.listen { [notes] state in notes.told.withLock { $0.session.append(state) } },
            session.errorPublisher.listen { [notes] error in notes.told.withLock { $0.sessionErrors.append(error) } },
            stream.statePublisher.listen { [notes] state in notes.told.withLock { $0.stream.append(state) } },
            stream.failurePublisher.listen { [notes] failure in notes.told.withLock { $0.failures.append(failure) } },
            stream.videoFramePublisher.listen { [notes] _ in notes.told.withLock { $0.frames += 1 } },
            stream.photoDataPublisher.listen { [notes] photo in notes.told.withLock { $0.photos.append(photo) } },
        ]
        stream.start()
        try await waitUntil { stream.state == .streaming ? true : nil }
        notes.told.withLock { $0 = Told() }
    }

    var stream: MWDATCamera.Stream { camera.stream }
    var told: Told { notes.told.withLock { $0 } }
    var errors: [StreamError] { told.failures.map(\.error) }

    /// Waits until the stream's last told state is `state`.
    func wait(_ state: StreamState) async throws { try await waitUntil { told.stream.last == state ? true : nil } }

    /// Waits until the session's last told state is `state`.
    func wait(session state: DeviceSessionState) async throws {
        try await waitUntil { told.session.last == state ? true : nil }
    }

    /// Waits for one more picture.
    func waitForFrame() async throws {
        let before = told.frames
        try await waitUntil { told.frames > before ? true : nil }
    }
}

extension ObservedStream {
    /// Stops the camera, and waits until its place in the session is free.
    func stopCamera() async {
        camera.stop()
        await camera.waitUntilStopped()
    }
}
