/// How large a stream's pictures are wished to be. The link's bandwidth may make them smaller.
public enum StreamingResolution: String, CaseIterable, Sendable {
    /// 720 × 1280.
    case high
    /// 504 × 896.
    case medium
    /// 360 × 640.
    case low

    /// The size, upright.
    public var videoFrameSize: VideoFrameSize {
        switch self {
        case .high: VideoFrameSize(width: 720, height: 1280)
        case .medium: VideoFrameSize(width: 504, height: 896)
        case .low: VideoFrameSize(width: 360, height: 640)
        }
    }
}

/// A picture's size in pixels.
public struct VideoFrameSize: Sendable, Hashable {
    /// Pixels across.
    public let width: UInt
    /// Pixels down.
    public let height: UInt

    /// A size of `width` by `height` pixels.
    public init(width: UInt, height: UInt) {
        self.width = width
        self.height = height
    }
}
