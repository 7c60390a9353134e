/// How a camera's frames are stored.
public enum CameraPixelFormat: String, Sendable, Hashable, CaseIterable {
    /// Three planes: Y, U, V; 12 bits a pixel.
    case i420
    /// Two planes: Y, and U and V interleaved; 12 bits a pixel.
    case nv12
    /// One plane: Y, U, Y, V; 16 bits a pixel.
    case yuyv
    /// A whole JPEG file.
    case jpeg
}

/// One way in which a camera streams.
public struct CameraMode: Sendable, Hashable {
    /// How the frames are stored.
    public var format: CameraPixelFormat
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Frames a second at most.
    public var frameRate: Int

    /// A mode.
    public init(format: CameraPixelFormat, width: Int, height: Int, frameRate: Int) {
        self.format = format
        self.width = width
        self.height = height
        self.frameRate = frameRate
    }
}

/// How a camera's own stills are stored.
public enum CameraStillFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case heic
}

/// What a camera can do; constant while its transport is loaded.
public struct CameraFacts: Sendable, Hashable {
    /// Every mode, in the device's order; at least one.
    public var modes: [CameraMode]
    /// The format of its own stills; nil when a still has to be taken from the stream.
    public var stillFormat: CameraStillFormat?

    /// Facts with the given values.
    public init(modes: [CameraMode], stillFormat: CameraStillFormat? = nil) {
        self.modes = modes
        self.stillFormat = stillFormat
    }
}

/// Where one plane of a frame lies in its bytes.
public struct CameraPlane: Sendable, Hashable {
    /// Bytes before the first row.
    public var offset: Int
    /// Bytes from one row to the next; 0 for JPEG.
    public var stride: Int

    /// A plane.
    public init(offset: Int, stride: Int) {
        self.offset = offset
        self.stride = stride
    }
}

/// One picture of a stream. Its planes lie within its bytes: whoever makes one from what a device says has checked that.
public struct CameraFrame: Sendable, Hashable {
    /// The planes' bytes.
    public var bytes: [UInt8]
    /// How they are stored.
    public var format: CameraPixelFormat
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Clockwise degrees that turn the picture upright: 0, 90, 180 or 270.
    public var rotation: Int
    /// One for each plane of the format.
    public var planes: [CameraPlane]
    /// When it was exposed; strictly increasing within a stream.
    public var time: MonotonicTime
    /// The device's count, with the frames that got lost on the way.
    public var number: UInt64

    /// A frame.
    public init(
        bytes: [UInt8], format: CameraPixelFormat, width: Int, height: Int, rotation: Int, planes: [CameraPlane],
        time: MonotonicTime, number: UInt64
    ) {
        self.bytes = bytes
        self.format = format
        self.width = width
        self.height = height
        self.rotation = rotation
        self.planes = planes
        self.time = time
        self.number = number
    }
}

/// A still of the camera itself.
public struct CameraStill: Sendable, Hashable {
    /// The file.
    public var file: [UInt8]
    /// How it is stored.
    public var format: CameraStillFormat
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Clockwise degrees that turn the picture upright: 0, 90, 180 or 270.
    public var rotation: Int
    /// When it was exposed; nil when the device does not tell.
    public var time: MonotonicTime?

    /// A still.
    public init(
        file: [UInt8], format: CameraStillFormat, width: Int, height: Int, rotation: Int, time: MonotonicTime?
    ) {
        self.file = file
        self.format = format
        self.width = width
        self.height = height
        self.rotation = rotation
        self.time = time
    }
}

/// What an open stream tells besides its frames.
public enum CameraStreamChange: Sendable, Hashable {
    /// Frames come again after a pause.
    case resumed
    /// Frames stop for now, and why.
    case paused(CaptureError)
    /// The stream is over, and why; it may be opened again.
    case ended(CaptureError)
}

/// A device's camera: one stream at a time, and stills.
public protocol CameraPort: AnyObject, Sendable {
    /// What it can do.
    var facts: CameraFacts { get }
    /// Opens the stream in one of ``CameraFacts/modes``; succeeds with the first frame, fails within 13 s.
    ///
    /// `onFrame` is called on the host's reader thread, in the order of time, until ``close()`` returns; a consumer that is
    /// too slow loses the oldest frames. `onChange` may come on any thread.
    func open(
        _ mode: CameraMode, onFrame: @escaping @Sendable (CameraFrame) -> Void,
        onChange: @escaping @Sendable (CameraStreamChange) -> Void
    ) async -> ExtentosResult<Void, CaptureError>
    /// Ends the stream within 4 s; afterwards no frame comes.
    func close() async
    /// Takes a still with the camera's own function within 11 s, with or without a stream; one at a time.
    func takeStill() async -> ExtentosResult<CameraStill, CaptureError>
    /// Frames that were lost between the camera and `onFrame`, over all streams.
    var droppedFrames: Int64 { get }
}
