import GlassesDomain
import Synchronization

/// Records clips, one at a time.
final class ClipCapture: Sendable {
    /// Frames that may wait for the coder; beyond it the newest are left out and counted.
    static let waitingFrames = 8

    /// The recording in flight.
    private struct InFlight: Sendable {
        var lease: CameraLease
        var isCancelled = false
    }

    private let driver: CameraDriver
    private let hub: MicrophoneHub
    private let media: MediaPorts
    private let clock: ClockPort
    private let events: EventLog
    private let inFlight = Mutex<InFlight?>(nil)

    init(driver: CameraDriver, hub: MicrophoneHub, media: MediaPorts, clock: ClockPort, events: EventLog) {
        self.driver = driver
        self.hub = hub
        self.media = media
        self.clock = clock
        self.events = events
    }

    /// Records until something ends it; whatever that is, the recorded part is the result.
    func record(_ config: VideoConfig) async -> ExtentosResult<VideoClip, CaptureError> {
        if let seconds = config.maxDurationSeconds, seconds < 1 { return .failure(.invalidDuration) }
        guard let recorder = media.clips, let folder = media.folder else { return .failure(.clipsUnavailable) }
        guard let lease = begin(config) else { return .failure(.videoInFlight) }
        let recording = ClipRecording(
            config: config, lease: lease, recorder: recorder, folder: folder, hub: hub, clock: clock, events: events,
            frameRate: { [driver] in driver.streamInfo.current?.frameRate ?? config.frameRate })
        // A task of its own: the cancellation of the caller ends the recording, not its completion.
        let task = Task(executorPreference: RuntimeThreads.shared) { await recording.run() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            cancel(lease)
        }
        let wasCancelled = inFlight.withLock { inFlight in
            defer { inFlight = nil }
            return inFlight?.isCancelled == true
        }
        return wasCancelled && result.failure == .noFrames ? .failure(.cancelled) : result
    }

    /// Ends the recording in flight, if any.
    func stop() { inFlight.withLock { $0?.lease }?.release() }

    private func begin(_ config: VideoConfig) -> CameraLease? {
        inFlight.withLock { inFlight in
            guard inFlight == nil else { return nil }
            let wish = CameraWish(
                resolution: config.resolution, frameRate: max(1, config.frameRate), prefersPixels: true)
            let lease = driver.lease(
                .clip, wish, buffering: .bufferingOldest(Self.waitingFrames), holdsBack: true)
            inFlight = InFlight(lease: lease)
            return lease
        }
    }

    private func cancel(_ lease: CameraLease) {
        inFlight.withLock { if $0?.lease === lease { $0?.isCancelled = true } }
        lease.release()
    }
}
