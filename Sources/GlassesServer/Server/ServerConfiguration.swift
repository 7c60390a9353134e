/// How a server is set up.
public struct ServerConfiguration: Sendable {
    /// Where it listens.
    public var listen: ListenAddress
    /// Names and addresses it answers to besides the one it listens at, each with a port or without: those it has
    /// behind a proxy, or on the local network. A request whose `Host` is none of them is refused with 403.
    public var hosts: [String]
    /// The origins of the web pages that may talk to it, such as `https://app.example.com`; none by default. A request
    /// with any other `Origin` is refused with 403.
    public var allowedOrigins: [String]
    /// The certificate and key for TLS; nil serves plain HTTP.
    public var tls: TLSFiles?
    /// The bounds.
    public var limits: ServerLimits

    /// A set-up of the given parts.
    public init(
        listen: ListenAddress, hosts: [String] = [], allowedOrigins: [String] = [], tls: TLSFiles? = nil,
        limits: ServerLimits = ServerLimits()
    ) {
        self.listen = listen
        self.hosts = hosts
        self.allowedOrigins = allowedOrigins
        self.tls = tls
        self.limits = limits
    }

    /// The further names, read; throws ``ServerError`` with the code `host_name`.
    func authorities() throws(ServerError) -> [Authority] {
        var read: [Authority] = []
        for host in hosts {
            guard let authority = Authority(host) else {
                throw ServerError(
                    "host_name",
                    "\"\(host)\" is no host. Give a name or an address, such as gateway.example.com or [fd00::1]:8080.")
            }
            read.append(authority)
        }
        return read
    }

    /// The allowed origins, read; throws ``ServerError`` with the code `origin`.
    func origins() throws(ServerError) -> [OriginRule.Origin] {
        var read: [OriginRule.Origin] = []
        for text in allowedOrigins {
            guard let origin = OriginRule.Origin(text) else {
                throw ServerError(
                    "origin",
                    "\"\(text)\" is no origin of a page, or of any page. Give scheme and host, such as https://a.io."
                )
            }
            read.append(origin)
        }
        return read
    }
}
