/// Which `Host` headers a server answers to: those that name it as it was started. A page whose name was rebound to
/// this machine's address sends its own name and is refused.
struct HostRule: Sendable {
    private let listening: IPAddress
    private let port: UInt16
    private let isTLS: Bool
    private let names: Set<Authority>

    /// The rule of a server that listens at `listening` and `port` and was given `names` besides.
    ///
    /// A name without a port goes with the server's own port and with none at all, as behind a proxy; one with a port
    /// with that port alone.
    init(listening: IPAddress, port: UInt16, isTLS: Bool, names: [Authority]) {
        self.listening = listening
        self.port = port
        self.isTLS = isTLS
        self.names = Set(names)
    }

    /// Whether a request with these `Host` headers, on a socket that was reached at `local`, names this server.
    func allows(_ headers: [String], reachedAt local: IPAddress) -> Bool {
        guard headers.count == 1, let authority = Authority(headers[0]) else { return false }
        if names.contains(authority) && authority.port != nil { return true }
        let isOwnPort = authority.port == port
        if names.contains(Authority(host: authority.host)) && (isOwnPort || authority.port == nil) { return true }
        let isUsualPort = authority.port == nil && port == (isTLS ? 443 : 80)
        return (isOwnPort || isUsualPort) && isOwnHost(authority.host, reachedAt: local)
    }

    /// Every address of this machine is its own when it listens on all of them: an address cannot be rebound.
    /// `localhost` is resolved to loopback by every client and belongs to loopback.
    private func isOwnHost(_ host: String, reachedAt local: IPAddress) -> Bool {
        let reached = listening.isWildcard ? local : listening
        return host == reached.description || (reached.isLoopback && host == "localhost")
    }
}

extension Authority {
    /// The host without a port.
    init(host: String) {
        self.host = host
        port = nil
    }
}
