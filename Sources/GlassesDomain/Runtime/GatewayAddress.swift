import Foundation

/// The checked address of a gateway's realtime endpoint.
public struct GatewayAddress: Sendable, Hashable {
    /// The endpoint: `ws` or `wss`, with a path that ends in `/realtime`, or in the method of Gemini Live. It holds no credentials.
    public let url: URL
    /// The host's name or address, an IPv6 address without its brackets.
    public let host: String
    /// The TCP port, 1 to 65535; 80 or 443 when the URL names none.
    public let port: Int
    /// Whether the connection is encrypted by TLS.
    public let isEncrypted: Bool
    /// What the endpoint speaks.
    public let dialect: RealtimeDialect
    private let namesPort: Bool

    /// The endpoint under the base URL `base`, to whose path `/realtime` is appended unless it ends in that already; for Gemini
    /// Live the path of its method. A `dialect` of nil is taken from the path.
    ///
    /// `ws`, `wss`, `http` and `https` are taken; queries are kept. Throws a closure with the code `invalid_url` whose message
    /// says what is wrong with the URL, without repeating it, since it may hold credentials.
    public init(_ base: URL, dialect: RealtimeDialect? = nil) throws(ConnectionClosure) {
        guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else {
            throw Self.invalid("it cannot be read")
        }
        try self.init(parts, dialect)
    }

    /// As the initialiser from a URL, from text that somebody typed.
    public init(text: String) throws(ConnectionClosure) {
        guard let parts = URLComponents(string: text) else { throw Self.invalid("it cannot be read") }
        try self.init(parts, nil)
    }

    private init(_ given: URLComponents, _ wanted: RealtimeDialect?) throws(ConnectionClosure) {
        var parts = given
        switch given.scheme?.lowercased() {
        case "ws", "http": parts.scheme = "ws"
        case "wss", "https": parts.scheme = "wss"
        default: throw Self.invalid("it does not begin with wss:// or ws://")
        }
        guard let host = given.host, !host.isEmpty else { throw Self.invalid("it names no host") }
        guard given.user == nil, given.password == nil else {
            throw Self.invalid("it holds a user name or password, which does not belong there; give a token instead")
        }
        guard given.fragment == nil else { throw Self.invalid("it has a part after #") }
        let defaultPort = parts.scheme == "wss" ? 443 : 80
        guard (1...65_535).contains(given.port ?? defaultPort) else { throw Self.invalid("its port is out of range") }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        let spoken = RealtimeDialect.spoken(at: path)
        dialect = wanted ?? spoken
        switch dialect {
        case .openAI: parts.percentEncodedPath = path.hasSuffix("/realtime") ? path : path + "/realtime"
        case .gemini: parts.percentEncodedPath = spoken == .gemini ? path : path + RealtimeDialect.geminiPath
        }
        guard let url = parts.url else { throw Self.invalid("it cannot be read") }
        self.url = url
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = given.port ?? defaultPort
        namesPort = given.port != nil
        isEncrypted = parts.scheme == "wss"
    }

    private static func invalid(_ reason: String) -> ConnectionClosure {
        ConnectionClosure(
            code: "invalid_url",
            message: "The gateway's URL is not usable: \(reason). Give one such as wss://gateway.example/v1.")
    }

    /// Whether the host is this machine, so that nothing is sent over a network to reach it.
    public var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether a host's name or address is this machine.
    static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || Self.isLoopbackIPv4(name)
    }

    private static func isLoopbackIPv4(_ name: String) -> Bool {
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// The host as people write it, with its port unless that is the scheme's own.
    public var displayName: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return namesPort ? "\(name):\(port)" : name
    }
}
