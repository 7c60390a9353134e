import Foundation

/// The checked address of a chat endpoint.
public struct BrainAddress: Sendable, Hashable {
    /// Where requests go: `http` or `https`, with a path that ends in `/chat/completions`. It holds no credentials.
    public let url: URL
    /// The Unix socket that leads there instead of the URL's host; nil for a network.
    public let socketPath: String?
    /// The host as people write it, with its port where one was named, or the socket's path.
    public let displayName: String
    /// Whether the connection is encrypted by TLS.
    public let isEncrypted: Bool
    /// Whether the endpoint is on this machine, so that nothing is sent over a network to reach it.
    public let isLoopback: Bool

    /// The longest path of a Unix socket in bytes: what the kernel's address holds.
    public static let longestSocketPath = 107
    private static let face = "/chat/completions"

    /// The endpoint under the base URL `base`: `https`, `http`, or `unix:` with the absolute path of a socket. `/chat/completions` is
    /// appended to the path unless it ends in that already, and `/v1` before it where there is no path. Queries are kept.
    ///
    /// Throws ``BrainAddressError`` for what cannot be used, and for a `key` that would go over a network without TLS.
    public init(_ base: URL, key: String? = nil) throws(BrainAddressError) {
        if base.scheme?.lowercased() == "unix" {
            try self.init(socket: base)
        } else {
            try self.init(network: base)
        }
        guard let key else { return }
        guard isEncrypted || isLoopback else {
            throw BrainAddressError(
                code: "insecure_url",
                message: "The key would go to \(displayName) in clear text. Use https://, or leave the key out.")
        }
        guard (1...8_192).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw BrainAddressError(
                code: "invalid_key",
                message: "The key of the chat endpoint cannot be sent: it is empty, too long, or holds spaces or other "
                    + "characters that keys have not. Set it again.")
        }
    }

    /// As above, from text that somebody typed.
    public init(text: String, key: String? = nil) throws(BrainAddressError) {
        guard let url = URL(string: text) else { throw .unreadable }
        try self.init(url, key: key)
    }

    private init(socket base: URL) throws(BrainAddressError) {
        let path = base.path(percentEncoded: false)
        guard base.host == nil || base.host == "", path.hasPrefix("/") else {
            throw Self.invalid("behind unix: stands no absolute path")
        }
        guard path.utf8.count <= Self.longestSocketPath, !path.utf8.contains(0) else {
            throw Self.invalid("the socket's path is longer than \(Self.longestSocketPath) bytes")
        }
        guard let url = URL(string: "http://localhost/v1" + Self.face) else { throw Self.invalid("it cannot be read") }
        (self.url, socketPath, displayName, isEncrypted, isLoopback) = (url, path, path, false, true)
    }

    private init(network base: URL) throws(BrainAddressError) {
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else {
            throw Self.invalid("it cannot be read")
        }
        let scheme = parts.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw Self.invalid("it does not begin with https://, http:// or unix:")
        }
        guard let host = parts.host, !host.isEmpty else { throw Self.invalid("it names no host") }
        guard parts.user == nil, parts.password == nil else {
            throw Self.invalid("it holds a user name or password, which does not belong there; give a key instead")
        }
        guard parts.fragment == nil else { throw Self.invalid("it has a part after #") }
        guard (1...65_535).contains(parts.port ?? 443) else { throw Self.invalid("its port is out of range") }
        parts.scheme = scheme
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        if path.isEmpty { path = "/v1" }
        parts.percentEncodedPath = path.hasSuffix(Self.face) ? path : path + Self.face
        guard let url = parts.url else { throw Self.invalid("it cannot be read") }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let name = bare.contains(":") ? "[\(bare)]" : bare
        self.url = url
        socketPath = nil
        displayName = parts.port.map { "\(name):\($0)" } ?? name
        isEncrypted = scheme == "https"
        isLoopback = GatewayAddress.isLoopback(bare)
    }

    private static func invalid(_ reason: String) -> BrainAddressError {
        BrainAddressError(
            code: "invalid_url",
            message: "The chat endpoint's URL is not usable: \(reason). Give one such as http://127.0.0.1:8080/v1 or "
                + "unix:/run/llama.sock.")
    }

    /// One sentence that says where the text of conversations goes.
    public var sentence: String {
        switch (isLoopback, isEncrypted) {
        case (true, _): "Text goes to the chat endpoint on this machine, \(displayName)."
        case (false, true): "Text goes to \(displayName) over TLS."
        case (false, false):
            "Text goes to \(displayName) unencrypted: whoever is on the way can read it. Use https://."
        }
    }
}

/// Why a chat endpoint cannot be used as it was given; it quotes neither URL nor key, which may be secret.
public struct BrainAddressError: ExtentosErrorDescription, Sendable, Hashable {
    /// `invalid_url`, `insecure_url` or `invalid_key`.
    public let code: String
    /// One sentence with the next step.
    public let message: String

    /// An error.
    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// A URL that is none.
    public static let unreadable = BrainAddressError(
        code: "invalid_url",
        message: "The chat endpoint's URL cannot be read. Give one such as http://127.0.0.1:8080/v1 or "
            + "unix:/run/llama.sock.")

    /// Whoever configured it has to mend it.
    public var blame: Blame { .local }
    /// The sentence.
    public var description: String { message }
}
