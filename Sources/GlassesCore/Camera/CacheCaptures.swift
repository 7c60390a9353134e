import Foundation
import GlassesDomain
import Glibc

/// Captures in the user's cache: `$XDG_CACHE_HOME/extentos/captures`, a folder that nobody else may look into.
final class CacheCaptures: CaptureFolder {
    private let path: String

    /// The folder in the cache that `environment` names, or in `~/.cache`.
    convenience init(environment: [String: String]) {
        let named = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let cache = named ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.cache"
        self.init(path: cache + "/extentos/captures")
    }

    /// The folder at `path`; made when something is written.
    init(path: String) { self.path = path }

    func store(_ file: Data, suffix: String) throws(MediaError) -> String {
        let path = try newPath(suffix: suffix)
        try NewFile.write(file, to: path)
        return path
    }

    func newPath(suffix: String) throws(MediaError) -> String {
        try makeFolder()
        return path + "/" + UUID().uuidString.lowercased() + suffix
    }

    private func makeFolder() throws(MediaError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw MediaError.writeFailed(
                code: "not_writable",
                message: "The folder \(path) cannot be made. Set XDG_CACHE_HOME to a folder that can be written.")
        }
        var facts = stat()
        // What stands there is the user's own folder, or pictures would be read or replaced by somebody else.
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid(),
            facts.st_mode & 0o077 == 0
        else {
            throw MediaError.writeFailed(
                code: "not_writable",
                message:
                    "The folder \(path) is not yours alone. Remove it, or take its group's and others' rights away.")
        }
    }
}

/// Files that are written whole or not at all.
@_spi(ExtentosTools)
public enum NewFile {
    /// Writes a new file, mode 0600; `code` of the error is `disk_full`, `not_writable` or `write_failed`. Blocks for the disk.
    public static func write(_ data: Data, to path: String) throws(MediaError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno, path) }
        var code = data.withUnsafeBytes { write($0, descriptor) }
        if close(descriptor) != 0, code == 0 { code = errno }
        guard code != 0 else { return }
        unlink(path)
        throw failure(code, path)
    }

    /// 0, or what went wrong.
    private static func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                return count == 0 ? EIO : errno
            }
        }
        return 0
    }

    static func failure(_ code: Int32, _ path: String) -> MediaError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            return .writeFailed(
                code: "disk_full", message: "The disk is full (\(reason)). Free some space, then try again.")
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ELOOP, EEXIST:
            return .writeFailed(
                code: "not_writable", message: "\(path) cannot be written: \(reason). Choose another place.")
        default:
            return .writeFailed(code: "write_failed", message: "\(path) could not be written: \(reason). Try again.")
        }
    }
}
