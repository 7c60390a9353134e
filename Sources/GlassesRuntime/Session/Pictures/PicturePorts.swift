import GlassesDomain

/// What a session needs to send pictures.
struct PicturePorts: Sendable {
    /// Reads the files that apps name.
    var files: PictureFilePort
    /// Scales pictures; nil where none is built in: pictures then pass as they are, if they are small enough.
    var coder: (any PictureCoder)?

    /// No files and no coder.
    static let none = PicturePorts(files: .none, coder: nil)
}

extension PictureFilePort {
    /// Nothing can be read.
    public static let none = PictureFilePort { (_, _) throws(PictureFileError) in throw .notReadable }
}
