import Foundation
import GlassesDomain
import Glibc

/// The file of a clip, which grows by whole fragments.
final class ClipFile {
    let path: String
    /// Bytes that were written whole.
    private(set) var size = 0
    private let descriptor: Int32

    /// Creates the file, for its owner alone; one that exists is not touched.
    convenience init(creating path: String) throws(MediaError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .writing(path, errno) }
        self.init(descriptor: descriptor, path: path)
    }

    /// Takes over an open file.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Adds bytes; when they do not all fit, none of them stay, so that what was there before can be played.
    func append(_ bytes: [UInt8]) throws(MediaError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            let failure = errno
            if count < 0, failure == EINTR { continue }
            guard count > 0 else {
                // If this fails, too, a player ignores the last, incomplete fragment.
                _ = ftruncate(descriptor, off_t(size))
                throw .writing(path, count < 0 ? failure : ENOSPC)
            }
            written += count
        }
        size += written
    }

    /// Changes bytes that were written before; their number stays.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(MediaError) {
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        guard count == bytes.count else { throw .writing(path, count < 0 ? errno : ENOSPC) }
    }

    /// Removes the file.
    func remove() throws(MediaError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .writing(path, errno) }
    }
}

extension MediaError {
    /// A system call's failure on a file.
    static func writing(_ path: String, _ code: Int32) -> MediaError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            return .writeFailed(
                code: "disk_full", message: "No room for \(path): \(reason). Free some, or record elsewhere.")
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, EEXIST, ELOOP, ENAMETOOLONG, EINVAL:
            return .writeFailed(
                code: "not_writable",
                message: "\(path) cannot be written: \(reason). Choose a new file in a folder that you may write.")
        default:
            return .writeFailed(code: "write_failed", message: "Writing \(path) failed: \(reason).")
        }
    }
}
