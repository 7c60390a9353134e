/// How a photo is taken.
public struct PhotoConfig: Sendable, Hashable {
    /// The size class of the stream, when this is its first use.
    public var resolution: Resolution
    /// The wanted format; a photo from the stream is always JPEG.
    public var format: PhotoFormat
    /// Whether the camera's own still function is used, whose size is the vendor's, instead of a frame of the stream.
    public var dedicatedCapture: Bool

    /// A configuration; the defaults take a JPEG of medium size off the stream.
    public init(resolution: Resolution = .medium, format: PhotoFormat = .jpeg, dedicatedCapture: Bool = false) {
        self.resolution = resolution
        self.format = format
        self.dedicatedCapture = dedicatedCapture
    }
}

/// How a photo is stored.
public enum PhotoFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case heic
}

/// A photo that was taken.
public struct Photo: Sendable, Hashable {
    /// Where it is, as a `file:` URL; the file is the app's to delete.
    public var uri: String?
    /// Pixels of the file, as they are stored: `exif` tells how to turn them.
    public var width: Int32
    /// Pixels of the file, as they are stored.
    public var height: Int32
    /// The format of the file.
    public var format: PhotoFormat
    /// Time and orientation as a JSON object; nil when unknown.
    public var exif: String?

    /// A photo.
    public init(uri: String?, width: Int32, height: Int32, format: PhotoFormat, exif: String?) {
        self.uri = uri
        self.width = width
        self.height = height
        self.format = format
        self.exif = exif
    }
}
