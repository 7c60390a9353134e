/// How connections leave this machine: whom they trust and which way they go.
public struct NetworkSettings: Sendable, Hashable {
    /// A PEM file of certificate authorities. When it is set, only these are trusted, and not the system's: a gateway with a
    /// private authority cannot be impersonated with a public certificate. Nil means the system's.
    public var caFile: String?
    /// The proxy, by default what the environment names.
    public var proxy: ProxyChoice

    /// Settings; the system's authorities and the environment's proxy by default.
    public init(caFile: String? = nil, proxy: ProxyChoice = .environment) {
        self.caFile = caFile
        self.proxy = proxy
    }
}

/// Whether connections go through an HTTP proxy. WebSockets and TLS go through a `CONNECT` tunnel.
public enum ProxyChoice: Sendable, Hashable {
    /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, read at each connection, as curl reads them.
    case environment
    /// None, whatever the environment says.
    case none
    /// This one, for every host.
    case fixed(Proxy)
}

/// An HTTP proxy and who we are to it.
public struct Proxy: Sendable, Hashable, CustomStringConvertible {
    /// Its address, such as `http://proxy.example:3128`; a name and a password may be in it.
    public var url: String
    /// The name for Basic authentication; nil for none.
    public var user: String?
    /// Its password.
    public var password: String?

    /// A proxy.
    public init(url: String, user: String? = nil, password: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
    }

    /// Says nothing of the address, which may hold a password.
    public var description: String { "a proxy" }
}
