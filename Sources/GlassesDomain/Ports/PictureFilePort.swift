import Foundation

/// Why a picture file could not be read; no case holds its path.
public enum PictureFileError: Error, Sendable, Hashable {
    /// There is no such file.
    case notFound
    /// The file may not be read, or reading it failed.
    case notReadable
    /// The path names a folder, a device, a pipe or another thing without an end.
    case notAFile
    /// The file has more bytes than are taken.
    case tooLarge
}

/// Reads the files of pictures that an app names.
public struct PictureFilePort: Sendable {
    /// The whole regular file at a path, of at most so many bytes. May block as long as its disk does.
    public var read: @Sendable (_ path: String, _ limit: Int) throws(PictureFileError) -> Data

    /// A port by its function.
    public init(read: @escaping @Sendable (_ path: String, _ limit: Int) throws(PictureFileError) -> Data) {
        self.read = read
    }
}
