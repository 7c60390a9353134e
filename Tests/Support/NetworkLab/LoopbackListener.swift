import Glibc

/// A TCP listener on a free port of 127.0.0.1, for servers that tests script by hand.
public final class LoopbackListener: Sendable {
    /// The listening socket; it closes with this object.
    public let descriptor: Int32
    /// The port that it listens on.
    public let port: UInt16

    /// Listens at once; nil when the kernel refuses. `backlog` is how many connections may wait to be accepted,
    /// `receiveBuffer` what the kernel takes in for each, in bytes; nil leaves it to the kernel, which may take 32 MiB.
    public init?(backlog: Int32 = 128, receiveBuffer: Int32? = nil) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isListening else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Listens on a Unix socket at `path`, which must not exist yet, with the port 0; nil when the kernel refuses.
    public init?(path: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(descriptor, 128) == 0
            }
        }
        guard fits, isListening else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        port = 0
    }

    deinit { close(descriptor) }
}

extension LoopbackListener {
    /// A socket that is connected to `port` of 127.0.0.1; nil when nobody listens there. The caller closes it.
    static func connect(to port: UInt16) -> Int32? {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard client >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(client)
            return nil
        }
        return client
    }

    /// Whether somebody listens on `port` of 127.0.0.1.
    static func canConnect(to port: UInt16) -> Bool {
        guard let client = connect(to: port) else { return false }
        close(client)
        return true
    }
}
