import Glibc

/// How a listening socket is made.
enum ListeningSocket {
    /// How many connections the system may hold ready for us; the kernel lowers it to its own bound.
    private static let backlog: Int32 = 1_024

    /// Listens at `address`; throws ``ServerError`` with the system's reason.
    static func open(_ address: ListenAddress) throws(ServerError) -> Int32 {
        let family = address.address.isIPv6 ? AF_INET6 : AF_INET
        let descriptor = socket(
            family,
            Int32(SOCK_STREAM.rawValue) | Int32(bitPattern: SOCK_CLOEXEC.rawValue)
                | Int32(bitPattern: SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .system("listen", "no socket for \(address)") }
        var one: Int32 = 1
        // A server that is started again right after its end finds its port in TIME_WAIT.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, to: address), listen(descriptor, backlog) == 0 else {
            let refusal = refusal(address, errno)
            close(descriptor)
            throw refusal
        }
        return descriptor
    }

    private static func bind(_ descriptor: Int32, to address: ListenAddress) -> Bool {
        if address.address.isIPv6 {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = address.port.bigEndian
            guard inet_pton(AF_INET6, address.address.description, &name.sin6_addr) == 1 else { return false }
            return withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
                }
            }
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        guard inet_pton(AF_INET, address.address.description, &name.sin_addr) == 1 else { return false }
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func refusal(_ address: ListenAddress, _ error: Int32) -> ServerError {
        switch error {
        case EADDRINUSE:
            ServerError(
                "address_in_use",
                "Another program listens at \(address). End it, or choose another port; 0 finds a free one.")
        case EADDRNOTAVAIL:
            ServerError(
                "address_not_available", "This machine has no address \(address.address). Choose one that it has.")
        case EACCES:
            ServerError("permission_denied", "Only root may listen at port \(address.port). Choose one above 1023.")
        default:
            ServerError("listen", "Listening at \(address) failed: \(String(cString: strerror(error))).")
        }
    }

    /// Closes a socket that nobody will accept on.
    static func discard(_ descriptor: Int32) { close(descriptor) }

    /// The name of a socket's own end; nil when the system has none.
    static func localName(of descriptor: Int32) -> sockaddr_storage? {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isRead = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        return isRead ? name : nil
    }

    /// The port that a socket listens on; 0 when the system does not say.
    static func port(of descriptor: Int32) -> UInt16 {
        guard var name = localName(of: descriptor) else { return 0 }
        // The port stands at the same place in both families.
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
        }
    }
}
