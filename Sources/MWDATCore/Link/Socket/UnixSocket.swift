import Foundation
import Glibc

/// Stream sockets with a name in the file system.
enum UnixSocket {
    /// The longest name that the system takes, without its final zero.
    static let longestPath = 107

    /// Who is at the other end of a connected socket; nil when the system does not say.
    static func peerUser(of descriptor: Int32) -> uid_t? {
        // The layout of Linux's `struct ucred`, which Glibc's module leaves out.
        var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return credentials.user
    }

    /// A socket that is connected to the one named `path`; nil when there is none, or
    /// nobody accepts: this never waits.
    static func connect(to path: String) -> Int32? {
        guard let descriptor = open() else { return nil }
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// A listening socket at `path`, which only we may connect to.
    static func listen(at path: String, backlog: Int32) -> Int32? {
        guard let descriptor = open() else { return nil }
        guard withAddress(path, { bind(descriptor, $0, $1) }) == 0, chmod(path, 0o600) == 0,
            Glibc.listen(descriptor, backlog) == 0
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func open() -> Int32? {
        let kind =
            Int32(SOCK_STREAM.rawValue) | Int32(bitPattern: SOCK_CLOEXEC.rawValue)
            | Int32(bitPattern: SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        return descriptor >= 0 ? descriptor : nil
    }

    /// -1 for a path that is too long.
    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        guard path.utf8.count <= longestPath, !path.utf8.contains(0) else { return -1 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
