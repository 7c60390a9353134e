import Glibc

/// What the file system says of one file or folder.
struct PluginFile: Sendable, Hashable {
    var size: Int64
    var modifiedNanoseconds: Int64
    var owner: UInt32
    var group: UInt32
    var mode: UInt32

    var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    var isSticky: Bool { mode & UInt32(S_ISVTX) != 0 }
    var isGroupWritable: Bool { mode & UInt32(S_IWGRP) != 0 }
    var isOtherWritable: Bool { mode & UInt32(S_IWOTH) != 0 }

    /// The facts of the file at `path`, following links; nil when there is none or it cannot be looked at.
    init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    init(_ facts: stat) {
        size = Int64(facts.st_size)
        modifiedNanoseconds = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
        owner = facts.st_uid
        group = facts.st_gid
        mode = facts.st_mode
    }

    init(owner: UInt32, group: UInt32, mode: UInt32, size: Int64 = 0, modifiedNanoseconds: Int64 = 0) {
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    /// The whole file, at most `limit` bytes; nil after a success means that it is larger.
    static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(errno) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
            if bytes.count > limit { return nil }
        }
    }
}

/// A refusal of the operating system.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The `errno` of the call.
    package let number: Int32
    init(_ number: Int32) { self.number = number }
    /// The system's own words.
    package var description: String { String(cString: strerror(number)) }
}
