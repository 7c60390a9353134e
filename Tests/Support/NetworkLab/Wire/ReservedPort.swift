import Glibc

/// A port of 127.0.0.1 that stays ours whether or not anybody listens on it: while nobody does, connecting is refused.
final class ReservedPort: Sendable {
    let port: UInt16
    private let holder: Int32

    /// Reserves a free port.
    init() throws {
        guard let (holder, port) = Self.bound(to: 0) else { throw LabError.setup("bind") }
        self.holder = holder
        self.port = port
    }

    deinit { close(holder) }

    /// A new non-blocking socket that listens there; the caller closes it. `receiveBuffer` is what the kernel takes in for each
    /// connection, in bytes.
    func listener(receiveBuffer: Int32) throws -> Int32 {
        guard let (socket, _) = Self.bound(to: port) else { throw LabError.setup("bind") }
        var size = receiveBuffer
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        guard listen(socket, 128) == 0 else {
            close(socket)
            throw LabError.setup("listen")
        }
        return socket
    }

    private static func bound(to port: UInt16) -> (socket: Int32, port: UInt16)? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
