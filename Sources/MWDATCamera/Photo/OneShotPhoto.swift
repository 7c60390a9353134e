import MWDATCore
import Synchronization

extension DeviceSession {
    /// Takes one photo: adds a camera, waits for its first picture, takes the photo, and stops the camera again, whatever happens. An
    /// addition to the vendor's interface.
    ///
    /// Waits at most `limit`, and 2 s for the camera to stop; a cancellation of the calling task ends it at once. The session has to
    /// be started and to have no camera.
    ///
    /// - Throws: why there is no photo.
    public func takePhoto(
        format: PhotoCaptureFormat = .jpeg, within limit: Duration = .seconds(20)
    ) async throws(Refusal) -> PhotoData {
        let camera: Camera
        do throws(DeviceSessionError) {
            camera = Camera(try CameraDriver(StreamConfiguration.forPhotos, in: self))
        } catch {
            throw Refusal(error, of: self)
        }
        return try await OneShotPhoto(camera, limit, hub.timekeeper).take(format)
    }
}

extension WearablesInterface {
    /// Takes one photo with the glasses that `deviceSelector` chooses: opens a session, takes the photo as
    /// ``MWDATCore/DeviceSession/takePhoto(format:within:)``, and ends the session, whatever happens. An addition to the vendor's
    /// interface.
    ///
    /// - Throws: why there is no photo.
    public func takePhoto(
        deviceSelector: any DeviceSelector, format: PhotoCaptureFormat = .jpeg, within limit: Duration = .seconds(20)
    ) async throws(Refusal) -> PhotoData {
        let session: DeviceSession
        do throws(DeviceSessionError) {
            session = try createSession(deviceSelector: deviceSelector)
            try session.start()
        } catch {
            throw Refusal(error)
        }
        let outcome = await session.photoWhenStarted(format, within: limit)
        session.stop()
        await session.waitUntilStopped()
        return try outcome.get()
    }
}

extension DeviceSession {
    fileprivate func photoWhenStarted(
        _ format: PhotoCaptureFormat, within limit: Duration
    ) async -> Result<PhotoData, Refusal> {
        for await state in stateStream() where state == .started {
            do throws(Refusal) {
                return .success(try await takePhoto(format: format, within: limit))
            } catch {
                return .failure(error)
            }
        }
        return .failure(endReason ?? StreamBounds.noGlasses)
    }
}

extension StreamConfiguration {
    /// A stream that costs little: a photo's size does not follow it.
    fileprivate static let forPhotos = StreamConfiguration(videoCodec: .raw, resolution: .low, frameRate: 15)
}

/// Takes one photo with a camera of its own.
private final class OneShotPhoto: Sendable {
    /// Glasses that have just begun to stream lose a first photo now and then.
    private static let attempts = 2

    private let camera: Camera
    private let limit: Duration
    private let timekeeper: any Timekeeper
    private let isLate = Atomic(false)

    init(_ camera: Camera, _ limit: Duration, _ timekeeper: any Timekeeper) {
        self.camera = camera
        self.limit = limit
        self.timekeeper = timekeeper
    }

    /// Stopping the camera ends every wait, and that is how the limit and a cancellation end this.
    func take(_ format: PhotoCaptureFormat) async throws(Refusal) -> PhotoData {
        let timer = timekeeper.after(limit) { [self] in
            isLate.store(true, ordering: .relaxed)
            camera.stop()
        }
        let outcome = await withTaskCancellationHandler {
            await self.outcome(format)
        } onCancel: {
            camera.stop()
        }
        timer.cancel()
        camera.stop()
        await camera.waitUntilStopped()
        if case .failure = outcome, isLate.load(ordering: .relaxed) { throw StreamBounds.lateOneShot }
        return try outcome.get()
    }

    private func outcome(_ format: PhotoCaptureFormat) async -> Result<PhotoData, Refusal> {
        let stream = camera.stream
        stream.start()
        for await state in stream.stateStream() where state == .streaming || state == .stopped {
            guard state == .streaming else { return .failure(stream.endReason ?? StreamBounds.photoCutOff) }
            return await photo(format, from: stream)
        }
        return .failure(StreamBounds.photoCutOff)
    }

    private func photo(_ format: PhotoCaptureFormat, from stream: Stream) async -> Result<PhotoData, Refusal> {
        var reason = StreamBounds.notStreaming
        for _ in 0..<Self.attempts {
            do throws(Refusal) {
                return .success(try await stream.photo(format: format))
            } catch {
                reason = error
                guard error.isRetryable, stream.state == .streaming else { break }
            }
        }
        return .failure(reason)
    }
}
