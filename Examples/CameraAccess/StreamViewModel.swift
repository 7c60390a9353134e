import Foundation
import MWDATCamera
import MWDATCore

/// One session and its preview, as the sample app's view model of the same name: the session is started and stopped apart from the
/// preview, and both show the toolkit's own states.
@MainActor
final class StreamViewModel {
    private(set) var session: DeviceSession?
    private(set) var stream: MWDATCamera.Stream?
    /// The last picture of the preview, and how many there were.
    private(set) var picture: UIImage?
    private(set) var pictures = 0

    private var camera: Camera?
    private let tokens = ListenerTokenBag()
    private var observers: [Task<Void, Never>] = []
    private let tell: @MainActor (String) -> Void

    /// `tell` is called with a line for the person.
    init(tell: @escaping @MainActor (String) -> Void) { self.tell = tell }

    /// Makes and starts a session; returns when it has started.
    func startSession(with chosen: DeviceIdentifier?, missing: String) async throws {
        let wearables = Wearables.shared
        let session =
            if let chosen {
                try wearables.createSession(deviceSelector: SpecificDeviceSelector(device: chosen))
            } else {
                try await automaticSession()
            }
        self.session = session
        observe(session)
        try session.start()
        for await state in session.stateStream() {
            if state == .started { return }
        }
        self.session = nil
        throw CameraAccessError.notStarted(session.endReason?.message ?? missing)
    }

    /// A selector needs a moment before it has an answer.
    private func automaticSession() async throws -> DeviceSession {
        let selector = AutoDeviceSelector(wearables: Wearables.shared)
        let limit = ContinuousClock.now + .seconds(5)
        while selector.activeDevice == nil, ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(50)) }
        return try Wearables.shared.createSession(deviceSelector: selector)
    }

    private func observe(_ session: DeviceSession) {
        observers.append(
            Task { [weak self] in
                for await state in session.stateStream() {
                    self?.tell("session: \(state)")
                    guard state == .stopped else { continue }
                    if let reason = session.endReason { self?.tell("because: \(reason.message)") }
                    self?.forget()
                }
            })
        observers.append(
            Task { [weak self] in
                for await error in session.errorStream() { self?.tell("session error: \(error.description)") }
            })
    }

    /// Adds a camera to the session and starts its stream.
    func startPreview() throws {
        guard let session else { throw CameraAccessError.noSession }
        let configuration = StreamConfiguration(videoCodec: .raw, resolution: .medium, frameRate: 24)
        guard let camera = try session.addCamera(config: configuration) else { throw CameraAccessError.noSession }
        let stream = camera.stream
        self.camera = camera
        self.stream = stream
        stream.statePublisher.listen { [weak self] state in
            Task { @MainActor in self?.tell("stream: \(state)") }
        }.store(in: tokens)
        stream.errorPublisher.listen { [weak self] error in
            Task { @MainActor in self?.tell("stream error: \(error.description)") }
        }.store(in: tokens)
        stream.videoFramePublisher.listen { [weak self] frame in
            guard let image = frame.makeUIImage() else { return }
            Task { @MainActor in self?.show(image) }
        }.store(in: tokens)
        stream.start()
    }

    /// The newest picture; waits up to 2 s for the first one.
    func nextPicture() async throws -> UIImage? {
        let limit = ContinuousClock.now + .seconds(2)
        while picture == nil, ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(20)) }
        return picture
    }

    private func show(_ image: UIImage) {
        picture = image
        pictures += 1
    }

    /// Stops the preview and leaves the session connected.
    func stopPreview() async throws {
        guard let camera else { throw CameraAccessError.noPreview }
        camera.stop()
        await camera.waitUntilStopped()
        self.camera = nil
        stream = nil
        tokens.clear()
    }

    /// Takes a photo and gives its file.
    func takePhoto() async throws -> Data {
        guard let stream else { throw CameraAccessError.noPreview }
        return try await stream.photo(format: .jpeg).data
    }

    /// Ends the session, and with it the preview; returns when it has ended.
    func stopSession() async throws {
        guard let session else { throw CameraAccessError.noSession }
        session.stop()
        await session.waitUntilStopped()
        forget()
    }

    private func forget() {
        session = nil
        camera = nil
        stream = nil
        picture = nil
        tokens.clear()
    }
}
