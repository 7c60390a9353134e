import GlassesDomain
import Glibc

/// Accepts connections on a listening socket and hands them to the daemon. [loop]
final class Acceptor: Sendable {
    /// How many connections one turn accepts at most.
    private static let turnConnections = 64

    let descriptor: Int32
    private let daemon: HTTPDaemon

    init(descriptor: Int32, daemon: HTTPDaemon) {
        self.descriptor = descriptor
        self.daemon = daemon
    }

    /// Accepts what waits; false when the system has no descriptor or memory left for it, and trying again at once
    /// would be vain.
    func acceptAll() -> Bool {
        for _ in 0..<Self.turnConnections {
            var name = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let socket = withUnsafeMutablePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(descriptor, $0, &length) }
            }
            if socket >= 0 {
                hand(socket, from: name, length: length)
                continue
            }
            switch errno {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return false
            case EINTR, ECONNABORTED: continue
            default: return true
            }
        }
        return true
    }

    private func hand(_ socket: Int32, from name: sockaddr_storage, length: socklen_t) {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        guard let remote = IPAddress(name), let local = ListeningSocket.localName(of: socket).flatMap({ IPAddress($0) })
        else {
            Glibc.close(socket)
            return
        }
        var name = name
        withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                daemon.add(socket, from: remote, at: local, name: $0, length: length)
            }
        }
    }

    /// Closes the listening socket; the last call.
    func close() { Glibc.close(descriptor) }
}
