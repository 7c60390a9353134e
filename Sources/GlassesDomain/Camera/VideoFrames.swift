import Foundation

/// How frames are delivered.
public struct VideoFrameConfig: Sendable, Hashable {
    /// The size class of the stream, when this is its first use.
    public var resolution: Resolution
    /// Frames a second, snapped to the nearest rate that the camera has; a stream that is locked at a higher rate is thinned.
    public var frameRate: Int
    /// JPEG frames (`hvc1`, `h264`) or packed I420 (`raw`).
    public var codec: Codec
    /// What happens when the app reads too slowly.
    public var backpressure: Backpressure

    /// A configuration; the defaults deliver 15 JPEG frames a second and drop the oldest ones.
    public init(
        resolution: Resolution = .medium, frameRate: Int = 15, codec: Codec = .hvc1,
        backpressure: Backpressure = .dropOldest
    ) {
        self.resolution = resolution
        self.frameRate = frameRate
        self.codec = codec
        self.backpressure = backpressure
    }
}

/// One frame of a stream.
public struct VideoFrame: Sendable, Hashable {
    /// A JPEG file, or packed I420: `width` · `height` · 3 / 2 bytes, Y then U then V.
    public var buffer: Data
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Microseconds on the stream's clock, strictly increasing.
    public var presentationTimeUs: Int64
    /// Whether `buffer` is a JPEG file.
    public var isCompressed: Bool

    /// A frame.
    public init(buffer: Data, width: Int, height: Int, presentationTimeUs: Int64, isCompressed: Bool) {
        self.buffer = buffer
        self.width = width
        self.height = height
        self.presentationTimeUs = presentationTimeUs
        self.isCompressed = isCompressed
    }
}
