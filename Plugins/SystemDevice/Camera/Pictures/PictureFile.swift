import Glibc
import GlassesPluginKit

/// A file of pictures, opened for reading.
final class PictureFile {
    /// The longest picture that is read: the host's longest photo.
    static let longestPicture = 64 << 20

    private let descriptor: Int32
    /// Bytes in the file when it was opened.
    let count: Int
    let path: String

    init(_ path: String) throws(PluginFailure) {
        let result = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard result >= 0 else { throw .pictureUnreadable(path, errno) }
        var facts = stat()
        guard fstat(result, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(result)
            throw .pictureUnreadable(path, EINVAL)
        }
        descriptor = result
        count = Int(facts.st_size)
        self.path = path
    }

    deinit { close(descriptor) }

    /// Reads up to `count` bytes from `offset`; fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws(PluginFailure) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                filled += got
            }
        }
        if failure != 0 { throw .pictureUnreadable(path, failure) }
        return bytes
    }
}

extension PluginFailure {
    static func pictureUnreadable(_ path: String, _ number: Int32) -> PluginFailure {
        let reason = number == EINVAL ? "it is no regular file" : String(cString: strerror(number))
        return .unavailable(
            "camera_file_unreadable", "The camera's pictures in \(path) cannot be read: \(reason). Name another file.")
    }

    static func noPictures(_ path: String) -> PluginFailure {
        .invalid(
            "camera_file_invalid",
            "\(path) holds no JPEG picture. Name a JPEG file, a Motion JPEG file, or a folder of JPEG files.")
    }
}
