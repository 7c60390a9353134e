import Foundation

/// A WebSocket URL in the parts that libcurl and the handshake need.
struct WebSocketTarget: Sendable, Hashable {
    /// `http` or `https`: libcurl 7.88 knows no others, and both are what proxies know.
    let scheme: String
    /// The host for people and for the `Host` field: with brackets around an IPv6 address, with the port if it is named.
    let authority: String
    /// Path and query.
    let path: String
    private let host: String
    private let port: Int

    init(_ url: URL) throws(NetworkError) {
        switch url.scheme?.lowercased() {
        case "ws": scheme = "http"
        case "wss": scheme = "https"
        default: throw NetworkError(.invalidURL, "A WebSocket's URL begins with wss:// or ws://. Correct it.")
        }
        guard let host = url.host(percentEncoded: true), !host.isEmpty else {
            throw NetworkError(.invalidURL, "The URL names no host. Give one such as wss://gateway.example/v1.")
        }
        guard url.user() == nil, url.password() == nil else {
            throw NetworkError(.invalidURL, "The URL holds a name or a password. Give them as a header field instead.")
        }
        if let port = url.port, !(1...65_535).contains(port) {
            throw NetworkError(.invalidURL, "The port of the URL is not between 1 and 65535. Correct it.")
        }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        authority = url.port.map { "\(name):\($0)" } ?? name
        self.host = host.lowercased()
        port = url.port ?? Self.defaultPort(isSecure: scheme == "https")
        let given = url.path(percentEncoded: true)
        path = (given.isEmpty ? "/" : given) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    /// What libcurl connects to; the path is the handshake's business.
    var connectURL: String { "\(scheme)://\(authority)/" }

    /// The URL of a redirect's `Location` without its query, if it lies at the same scheme, host and port; nil otherwise.
    func sameOrigin(location: String) -> String? {
        guard let base = URL(string: connectURL), let url = URL(string: location, relativeTo: base)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true)?.lowercased()
        else { return nil }
        let isSecure = ["https", "wss"].contains(scheme)
        guard isSecure || ["http", "ws"].contains(scheme), isSecure == (self.scheme == "https"), host == self.host,
            (url.port ?? Self.defaultPort(isSecure: isSecure)) == port
        else { return nil }
        return "\(isSecure ? "wss" : "ws")://\(authority)\(url.path(percentEncoded: true))"
    }

    private static func defaultPort(isSecure: Bool) -> Int { isSecure ? 443 : 80 }
}
