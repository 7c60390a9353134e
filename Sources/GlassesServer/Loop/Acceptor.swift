import GlassesDomain
import Glibc

/// Accepts connections on a listening socket and hands them to the daemon. [loop]
final class Acceptor: Sendable {
    /// How many connections one turn accepts at most.
    private static let turnConnections = 64

    let descriptor: Int32
    private let daemon: HTTPDaemon
    private let front: TLSFront?

    init(descriptor: Int32, daemon: HTTPDaemon, front: TLSFront?) {
        self.descriptor = descriptor
        self.daemon = daemon
        self.front = front
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
                hand(socket, from: name)
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

    private func hand(_ socket: Int32, from name: sockaddr_storage) {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        guard let remote = IPAddress(name), let local = ListeningSocket.localName(of: socket).flatMap({ IPAddress($0) })
        else {
            Glibc.close(socket)
            return
        }
        guard let front else { return daemon.add(socket, from: remote, at: local) }
        var one: Int32 = 1
        // The front writes whole records, which must not wait for the peer's acknowledgements.
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        if !front.add(socket, from: remote, at: local) { daemon.countCrowdedOut() }
    }

    /// Closes the listening socket; the last call.
    func close() { Glibc.close(descriptor) }
}
