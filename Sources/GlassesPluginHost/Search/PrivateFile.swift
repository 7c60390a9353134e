import Glibc

/// Writes files that only their owner can read or write.
enum PrivateFile {
    /// Makes a folder, and those above it, for the owner alone; one that is there stays as it is.
    static func makeFolder(_ folder: String) throws(SystemError) {
        guard PluginFile(path: folder) == nil else { return }
        let parent = PluginPermissions.parent(of: folder)
        if parent != "/" { try makeFolder(parent) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemError(errno) }
    }

    /// All or nothing: a new file, renamed over the old one once it is complete on the disk.
    static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError(errno) }
        do throws(SystemError) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor)
        } catch {
            unlink(template)
            throw error
        }
        guard rename(template, path) == 0 else {
            let error = SystemError(errno)
            unlink(template)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        guard fchmod(descriptor, 0o600) == 0 else { throw SystemError(errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError(errno) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw SystemError(errno) }
    }
}
