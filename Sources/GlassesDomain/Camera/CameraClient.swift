/// The camera of the connected device: photos, clips and frames from one warm stream.
///
/// The first use locks the stream's resolution and frame rate until it is closed; ``activeStreamInfo()`` tells what they are.
/// Thread-safe; every call ends once, with a result or a typed reason, within its stated bound.
public protocol CameraClient: AnyObject, Sendable {
    /// Takes a photo.
    ///
    /// Ends within 45 s when the stream has to be opened first, within 12 s otherwise. Cancelling the task ends it at once with the
    /// code `capture_cancelled`.
    func capturePhoto(config: PhotoConfig) async -> ExtentosResult<Photo, CaptureError>

    /// Records a clip until its maximal duration, ``stopVideo()``, the end of the stream or the cancellation of the calling task.
    ///
    /// Whatever ends it, the part that was recorded is the result; without a single frame it fails with the reason, or with the code
    /// `no_frames`. One recording at a time: another one fails with the code
    /// `video_in_flight`. A microphone that is gated or missing leaves the sound out and never fails the capture.
    func captureVideo(config: VideoConfig) async -> ExtentosResult<VideoClip, CaptureError>

    /// Ends the recording in flight, if any; returns when that was ordered.
    ///
    /// The clip is the result of the pending ``captureVideo(config:)``.
    func stopVideo() async

    /// The frames of the stream, each strictly later than the one before.
    ///
    /// Throws ``CameraUnavailable`` or ``CameraStreamPaused`` when the iteration begins. A pause later on is no error: frames stop
    /// and come again. The end of the iteration releases the stream.
    func videoFrames(config: VideoFrameConfig) -> AsyncThrowingStream<VideoFrame, any Error>

    /// What the shared stream is locked at; nil while none is open.
    func activeStreamInfo() -> ActiveStreamInfo?

    /// What the stream is doing: the present state at once, then each change. Any number of readers.
    func streamState() -> AsyncStream<CameraStreamState>
}

extension CameraClient {
    /// Takes a photo with the defaults of ``PhotoConfig``.
    public func capturePhoto() async -> ExtentosResult<Photo, CaptureError> {
        await capturePhoto(config: PhotoConfig())
    }

    /// The frames of the stream with the defaults of ``VideoFrameConfig``.
    public func videoFrames() -> AsyncThrowingStream<VideoFrame, any Error> {
        videoFrames(config: VideoFrameConfig())
    }
}

/// What the camera's stream is doing; independent of ``CameraStatus``, which tells whether a capture would work.
public enum CameraStreamState: String, Sendable, Hashable, CaseIterable {
    /// No stream is open.
    case idle
    /// The stream is being opened.
    case arming
    /// Frames arrive: the first one has.
    case streaming
    /// The wearer or the device has paused the stream.
    case paused
    /// The stream is being closed.
    case stopping
}

/// What the shared stream is locked at.
public struct ActiveStreamInfo: Sendable, Hashable {
    /// The size class.
    public var resolution: Resolution
    /// Frames a second.
    public var frameRate: Int

    /// What a stream is locked at.
    public init(resolution: Resolution, frameRate: Int) {
        self.resolution = resolution
        self.frameRate = frameRate
    }
}
