import Foundation

/// Writes a folder under another name, and gives it its own when it is complete.
struct FolderWriter {
    let folder: String
    private var temporary: String { folder + ".part" }
    private var former: String { folder + ".old" }

    /// Makes the folder under its other name, and those above it.
    func begin(replaces: Bool) throws(PluginPackError) {
        guard replaces || access(folder, F_OK) != 0 else { throw .exists(path: folder) }
        try makeFolder((folder as NSString).deletingLastPathComponent)
        // What an interrupted run has left is of no use to anyone.
        remove(temporary)
        guard mkdir(temporary, 0o755) == 0 else { throw .notWritten(path: temporary, errno) }
    }

    /// Adds a file that everybody may read and nobody else may write.
    func add(_ name: String, _ bytes: [UInt8]) throws(PluginPackError) {
        let path = temporary + "/" + name
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .notWritten(path: path, errno) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .notWritten(path: path, errno) }
            rest = rest.dropFirst(count)
        }
        guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0 else { throw .notWritten(path: path, errno) }
    }

    /// Puts it into its place; an older one of the name goes.
    func finish() throws(PluginPackError) {
        let hasFormer = access(folder, F_OK) == 0
        if hasFormer {
            remove(former)
            guard rename(folder, former) == 0 else { throw .notWritten(path: folder, errno) }
        }
        guard rename(temporary, folder) == 0 else {
            let number = errno
            if hasFormer { rename(former, folder) }
            throw .notWritten(path: folder, number)
        }
        remove(former)
    }

    /// Takes away what was begun.
    func abandon() { remove(temporary) }

    private func makeFolder(_ path: String) throws(PluginPackError) {
        guard !path.isEmpty, access(path, F_OK) != 0 else { return }
        try makeFolder((path as NSString).deletingLastPathComponent)
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .notWritten(path: path, errno) }
    }

    /// Removes the files of a folder of this writer, which has no folders in it, and the folder.
    private func remove(_ path: String) {
        let names: [String]
        // A folder that is not there needs no removal.
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch { return }
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }
}
