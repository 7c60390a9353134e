import Foundation

/// Files of what was said.
enum PrivateFile {
    /// Creates or replaces a file that only its owner can read; never one that a link leads to.
    static func create(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        // An older file keeps its permissions when it is truncated.
        fchmod(descriptor, 0o600)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
