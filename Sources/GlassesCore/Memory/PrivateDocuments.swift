import Foundation
import GlassesDomain
import GlassesPluginHost
import Glibc

/// Small documents in a folder that nobody else may look into, each replaced whole or not at all, also by a crash.
///
/// A document is a file of mode 0600. A new version is written beside the old one, forced to the disk and put in its place; a lock on
/// the folder keeps processes apart.
@_spi(ExtentosTools)
public struct PrivateDocuments: Sendable {
    private let folder: String
    /// How long another process may hold the lock: a write takes milliseconds.
    private static let patience = 50
    private static let pause: UInt32 = 100_000

    /// The documents in `folder`, which is made when something is written.
    public init(folder: String) { self.folder = folder }

    /// A file name made of texts that may be secret or hold any character; equal lists give equal names.
    public static func name(of parts: [String]) -> String {
        // Each with its length, so that no two lists run together into one.
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return String(SHA256.hexadecimal(of: Array(text.utf8)).prefix(32))
    }

    /// The names of the documents that begin with `prefix`; none when the folder is not there.
    public func names(prefix: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(prefix) { names.append(name) }
        }
        return names
    }

    /// The document, or nil when there is none. Blocks for the disk; throws the codes of ``NewFile`` and `too_large`.
    public func read(_ name: String, limit: Int) throws(MediaError) -> [UInt8]? {
        let path = "\(folder)/\(name)"
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw NewFile.failure(errno, path)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid() else {
            throw .writeFailed(code: "not_writable", message: "\(path) is not a file of yours. Remove it.")
        }
        guard facts.st_size <= limit else {
            throw .writeFailed(code: "too_large", message: "\(path) is larger than \(limit) bytes. Remove it.")
        }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            }
            if count == 0 { break }
            if count < 0, errno != EINTR { throw NewFile.failure(errno, path) }
            filled += max(0, count)
        }
        return Array(bytes.prefix(filled))
    }

    /// Replaces the document. Blocks for the disk; throws the codes of ``NewFile`` and `busy`.
    public func write(_ bytes: [UInt8], to name: String) throws(MediaError) {
        try makeFolder()
        let lock = try lockFolder()
        defer { close(lock) }
        let path = "\(folder)/\(name)"
        let new = "\(folder)/.\(name).new"
        // What a crash left there.
        unlink(new)
        try NewFile.write(Data(bytes), to: new)
        guard Self.force(new), Glibc.rename(new, path) == 0, fsync(lock) == 0 else {
            let code = errno
            unlink(new)
            throw NewFile.failure(code, path)
        }
    }

    /// Gives a document another name, in the place of whatever has it. Blocks for the disk; throws the codes of ``NewFile`` and `busy`.
    func rename(_ name: String, to new: String) throws(MediaError) {
        let lock = try lockFolder()
        defer { close(lock) }
        guard Glibc.rename("\(folder)/\(name)", "\(folder)/\(new)") == 0, fsync(lock) == 0 else {
            throw NewFile.failure(errno, "\(folder)/\(name)")
        }
    }

    private static func force(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    private func makeFolder() throws(MediaError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .writeFailed(
                code: "not_writable", message: "The folder \(folder) cannot be made. Choose one that can be written.")
        }
        var facts = stat()
        guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid(),
            facts.st_mode & 0o077 == 0
        else {
            throw .writeFailed(
                code: "not_writable",
                message: "The folder \(folder) is not yours alone. Run: chmod 700 \(folder)")
        }
    }

    private func lockFolder() throws(MediaError) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw NewFile.failure(errno, folder) }
        for _ in 0..<Self.patience {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            usleep(Self.pause)
        }
        close(descriptor)
        throw .writeFailed(code: "busy", message: "Another program holds \(folder). Try again.")
    }
}
