import Glibc

/// A listener whose queue is full, so that the kernel drops every further attempt to connect: as a host that does not answer.
public final class FullListener: Sendable {
    private let listener: LoopbackListener
    private let fillers: [Int32]
    /// The port.
    public var port: UInt16 { listener.port }

    /// Fills the queue.
    public init() throws {
        guard let listener = LoopbackListener(backlog: 0) else { throw LabError.setup("listen") }
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = listener.port.bigEndian
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        // The kernel lets one more in than the queue is long; the others stay on their way.
        fillers = (0..<4).map { _ in
            let filler = socket(AF_INET, kind, 0)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            return filler
        }
    }

    deinit { for filler in fillers { close(filler) } }
}
