/// How a clip is recorded.
public struct VideoConfig: Sendable, Hashable {
    /// The size class of the stream, when this is its first use.
    public var resolution: Resolution
    /// Seconds at most; nil for no limit but the disk's.
    public var maxDurationSeconds: Int?
    /// The wanted container and coding; ``VideoClip/format`` tells what was written.
    public var format: VideoFormat
    /// Whether the microphone is recorded too.
    public var includeAudio: Bool
    /// Frames a second of the stream, when this is its first use; snapped to the nearest rate that the camera has.
    public var frameRate: Int

    /// A configuration; the defaults record with sound at 24 frames a second until stopped.
    public init(
        resolution: Resolution = .medium, maxDurationSeconds: Int? = nil, format: VideoFormat = .mp4Hevc,
        includeAudio: Bool = true, frameRate: Int = 24
    ) {
        self.resolution = resolution
        self.maxDurationSeconds = maxDurationSeconds
        self.format = format
        self.includeAudio = includeAudio
        self.frameRate = frameRate
    }
}

/// A clip's container and coding.
public enum VideoFormat: String, Sendable, Hashable, CaseIterable {
    case mp4Hevc
    case mp4H264
    case mov
}

/// A clip that was recorded.
public struct VideoClip: Sendable, Hashable {
    /// Where it is, as a `file:` URL; the file is the app's to delete. A recording without a single frame fails instead, so that a
    /// result of ``CameraClient/captureVideo(config:)`` always has one.
    public var uri: String?
    /// Milliseconds from the first frame to the end of the last one.
    public var durationMs: Int64
    /// What was written.
    public var format: VideoFormat
    /// Pixels.
    public var width: Int32
    /// Pixels.
    public var height: Int32

    /// A clip.
    public init(uri: String?, durationMs: Int64, format: VideoFormat, width: Int32, height: Int32) {
        self.uri = uri
        self.durationMs = durationMs
        self.format = format
        self.width = width
        self.height = height
    }
}
