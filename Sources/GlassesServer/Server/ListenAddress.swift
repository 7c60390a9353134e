/// Where a server listens.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address; never a name.
    let address: IPAddress
    /// The port; 0 lets the system choose a free one.
    public let port: UInt16
    /// Whether only this machine reaches it.
    public var isLoopback: Bool { address.isLoopback }

    /// Reads `host:port`: an IPv4 address, an IPv6 address in brackets, or `localhost`, which stands for 127.0.0.1.
    ///
    /// Throws ``ServerError`` with the code `listen_address` for anything else; a name goes to
    /// ``ServerConfiguration/hosts``.
    public init(_ text: String) throws(ServerError) {
        let authority = Authority(text)
        guard let authority, let port = authority.port,
            let address = IPAddress(authority.host == "localhost" ? "127.0.0.1" : authority.host)
        else {
            throw ServerError(
                "listen_address",
                "\"\(text)\" is no address to listen on. Give ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080."
            )
        }
        (self.address, self.port) = (address, port)
    }

    /// The address and port as they stand in a URL.
    public var description: String { "\(address.urlHost):\(port)" }
}
