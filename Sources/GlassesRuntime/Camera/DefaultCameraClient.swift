import GlassesDomain
import Synchronization

/// The camera of one glasses instance.
final class DefaultCameraClient: CameraClient {
    private let driver: CameraDriver
    private let photos: PhotoCapture
    private let clips: ClipCapture
    private let media: MediaPorts
    private let events: EventLog
    private let isSavingBattery = Mutex(false)

    init(driver: CameraDriver, hub: MicrophoneHub, media: MediaPorts, clock: ClockPort, events: EventLog) {
        self.driver = driver
        self.media = media
        self.events = events
        photos = PhotoCapture(driver: driver, media: media, clock: clock, events: events)
        clips = ClipCapture(driver: driver, hub: hub, media: media, clock: clock, events: events)
    }

    /// Follows the user's toggles; ``CameraDriver/settled()`` returns when a closed gate has released the device.
    func apply(_ toggles: Toggles) {
        isSavingBattery.withLock { $0 = toggles.isSavingBattery }
        driver.applyGate(CameraGate(toggles))
    }

    func capturePhoto(config: PhotoConfig) async -> ExtentosResult<Photo, CaptureError> {
        // Coding and writing block: on the runtime's threads, not on the caller's.
        let result = await withTaskExecutorPreference(RuntimeThreads.shared) { await photos.take(config) }
        if let error = result.failure { events.logCapture(CameraUse.photo.operation, failed: error) }
        return result
    }

    func captureVideo(config: VideoConfig) async -> ExtentosResult<VideoClip, CaptureError> {
        let result = await clips.record(config)
        if let error = result.failure { events.logCapture(CameraUse.clip.operation, failed: error) }
        return result
    }

    func stopVideo() async { clips.stop() }

    func videoFrames(config: VideoFrameConfig) -> AsyncThrowingStream<VideoFrame, any Error> {
        // The stream alone holds the reader: when the app lets it go, the reader's end releases the camera.
        let reader = FrameReader(
            config, driver: driver, pictures: media.pictures, events: events,
            isSavingBattery: { [weak self] in self?.isSavingBattery.withLock { $0 } ?? false })
        return AsyncThrowingStream {
            try await withTaskExecutorPreference(RuntimeThreads.shared) { try await reader.next() }
        }
    }

    func activeStreamInfo() -> ActiveStreamInfo? { driver.streamInfo.current }

    func streamState() -> AsyncStream<CameraStreamState> { driver.streamState.stream }
}
