import Glibc

/// An address and a port, never a name: a name's lookup has no bound in time.
struct NumericAddress: Sendable, Equatable {
    let host: String
    let port: UInt16

    /// Reads `192.168.1.5:7420`, `[fd00::1]:7420` or `localhost:7420`, which stands for 127.0.0.1.
    init(_ text: String) throws(DATBridgeError) {
        let failure = DATBridgeError(
            "address",
            "\"\(text)\" is no ADDRESS:PORT, such as 192.168.1.5:7420 or [fd00::1]:7420. Names are not taken.")
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw failure
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw failure
        }
        self.host = host == "localhost" ? "127.0.0.1" : host
        self.port = port
        guard !self.host.isEmpty, resolve({ _, _, _ in true }) == true else { throw failure }
    }

    /// The address as it stands in a URL, with another port.
    func text(port: UInt16) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// A socket that listens here; nil when the system does not let it.
    func listen(backlog: Int32) -> Int32? {
        resolve { family, address, length -> Int32? in
            guard let descriptor = Self.open(family) else { return nil }
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
            guard bind(descriptor, address, length) == 0, Glibc.listen(descriptor, backlog) == 0 else {
                close(descriptor)
                return nil
            }
            return descriptor
        } ?? nil
    }

    /// A socket whose connection is under way; nil when none can be made.
    func beginConnecting() -> Int32? {
        resolve { family, address, length -> Int32? in
            guard let descriptor = Self.open(family) else { return nil }
            if connect(descriptor, address, length) != 0 && errno != EINPROGRESS {
                close(descriptor)
                return nil
            }
            return descriptor
        } ?? nil
    }

    /// The port that a listening socket got.
    static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout.size(ofValue: storage))
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // The port is at the same place in both families' addresses.
        return result == 0 ? UInt16(bigEndian: storage.sin6_port) : 0
    }

    /// Pictures must not wait for an acknowledgement, and a phone that is gone is noticed by its silence.
    static func tune(_ descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
    }

    private static func open(_ family: Int32) -> Int32? {
        let kind =
            Int32(SOCK_STREAM.rawValue) | Int32(bitPattern: SOCK_CLOEXEC.rawValue)
            | Int32(bitPattern: SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        return descriptor >= 0 ? descriptor : nil
    }

    private func resolve<Result>(_ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        guard let address = found.pointee.ai_addr else { return nil }
        return body(found.pointee.ai_family, address, found.pointee.ai_addrlen)
    }
}
