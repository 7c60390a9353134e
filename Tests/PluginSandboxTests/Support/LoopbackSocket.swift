import Glibc

/// A listener that a probe may try to connect to: it never accepts, which a connecting client does not notice.
final class LoopbackSocket: Sendable {
    private let descriptor: Int32
    /// The TCP port; 0 for a local socket.
    let port: UInt16

    /// Listens on a free port of 127.0.0.1.
    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutableBytes(of: &address) { [descriptor] bytes in
            guard let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return bind(descriptor, generic, length) == 0 && listen(descriptor, 8) == 0
                && getsockname(descriptor, generic, &length) == 0
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw LabError(description: "no listener") }
    }

    /// Listens on the local socket at `path`.
    init(path: String) throws {
        port = 0
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw LabError(description: "the path of the socket is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isListening = withUnsafeBytes(of: &address) { [descriptor] bytes in
            guard let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                && listen(descriptor, 8) == 0
        }
        guard isListening else { throw LabError(description: "no local listener") }
    }

    deinit { close(descriptor) }
}
