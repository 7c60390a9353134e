import Foundation

/// Why a picture or a clip could not be coded or written.
public enum MediaError: Error, Sendable, Hashable {
    /// The bytes are not a picture of a known format, or are damaged.
    case undecodable(reason: String)
    /// The picture has no pixels, or more than are taken.
    case unsupportedSize(width: Int, height: Int)
    /// The file could not be written; `code` is `disk_full`, `not_writable` or `write_failed`.
    case writeFailed(code: String, message: String)
    /// A coder is missing or refused to work.
    case coderFailed(code: String, message: String)
}

/// What a picture file says of itself.
public struct PictureFacts: Sendable, Hashable {
    /// `image/jpeg`, `image/png`, `image/heic` or `image/webp`.
    public var mimeType: String
    /// Pixels as they are stored.
    public var width: Int
    /// Pixels as they are stored.
    public var height: Int
    /// Clockwise degrees that turn the picture upright: 0, 90, 180 or 270.
    public var rotation: Int

    /// Facts with the given values.
    public init(mimeType: String, width: Int, height: Int, rotation: Int) {
        self.mimeType = mimeType
        self.width = width
        self.height = height
        self.rotation = rotation
    }
}

/// A picture file with its size.
public struct EncodedPicture: Sendable, Hashable {
    /// The JPEG file.
    public var file: Data
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int

    /// A picture.
    public init(file: Data, width: Int, height: Int) {
        self.file = file
        self.width = width
        self.height = height
    }
}

/// Codes pictures. Its functions work on the calling thread, for 1–30 ms a picture, and keep nothing.
public protocol PictureCoder: AnyObject, Sendable {
    /// A frame as a JPEG file with the orientation and, when given, the time of the exposure in its EXIF; a JPEG frame is checked
    /// (a damaged one is refused) and not coded anew. `quality` is 1–100.
    func jpeg(_ frame: CameraFrame, quality: Int, takenAt: Date?) throws(MediaError) -> EncodedPicture
    /// A frame as packed I420 of even size, not turned.
    func packedI420(_ frame: CameraFrame) throws(MediaError) -> CameraFrame
    /// What a file of any known format says of itself; reads the header only.
    func facts(of file: Data) throws(MediaError) -> PictureFacts
    /// A JPEG file made upright and scaled down, so that its longest side is at most `longestSide` pixels; a smaller one keeps its
    /// size. Other formats are refused as undecodable.
    func scaled(_ file: Data, longestSide: Int, quality: Int) throws(MediaError) -> EncodedPicture
    /// A JPEG file with time and orientation in its EXIF; the pixels stay as they are.
    func stamped(_ file: Data, rotation: Int, takenAt: Date?) throws(MediaError) -> Data
    /// The pixels of a JPEG file, upright by its EXIF orientation. Other formats are refused as undecodable.
    func decoded(_ file: Data) throws(MediaError) -> PlatformImage
}

/// Where captures are kept until the app deletes them: a folder of the user's alone. Its functions may block for the disk.
public protocol CaptureFolder: AnyObject, Sendable {
    /// Writes a picture as a new file, mode 0600, whose name ends in `suffix` (such as `.jpg`), and answers its path; after a failure
    /// no file is left.
    func store(_ file: Data, suffix: String) throws(MediaError) -> String
    /// The path of a new file, which does not exist yet, in the folder, which does.
    func newPath(suffix: String) throws(MediaError) -> String
}

/// What a clip holds.
public struct ClipPlan: Sendable, Hashable {
    /// Where it is written: a new file, mode 0600.
    public var path: String
    /// The wanted format.
    public var format: VideoFormat
    /// Frames a second that are expected; the times of the frames decide.
    public var frameRate: Int
    /// Frames a second of mono sound; nil for none. The track is declared before the first frame.
    public var soundRate: Int?

    /// A plan.
    public init(path: String, format: VideoFormat, frameRate: Int, soundRate: Int?) {
        self.path = path
        self.format = format
        self.frameRate = frameRate
        self.soundRate = soundRate
    }
}

/// A clip being written: playable up to the last fragment at any time, also after a crash. Its functions are called by one thread
/// at a time, and may block for a frame's coding.
public protocol ClipWriter: AnyObject, Sendable {
    /// Adds a frame; its time must be later than that of the one before. The first one fixes the size, and others of another size
    /// are refused.
    func add(_ frame: CameraFrame) throws(MediaError)
    /// Adds mono sound whose first sample was heard at `time`; gaps are filled with silence, what comes before the first video
    /// frame is dropped.
    func addSound(_ samples: [Int16], at time: MonotonicTime) throws(MediaError)
    /// Ends the clip; nil `uri` when no frame was written, and then no file is left.
    func finish() throws(MediaError) -> VideoClip
}

/// Begins clips.
public protocol ClipRecorder: AnyObject, Sendable {
    /// Creates the file; fails when it cannot be written or no coder works.
    func begin(_ plan: ClipPlan) throws(MediaError) -> any ClipWriter
}
