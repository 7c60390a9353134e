import Foundation
import GlassesDomain

/// The address of an upstream as it is connected to, made of what the operator wrote.
struct UpstreamAddress {
    let url: String
    let host: String

    /// Checks `text` and adds to it what the dialect wants: `/realtime` and the model, or the method of Gemini Live. `problem` makes
    /// the error out of a reason.
    init(
        _ text: String, _ dialect: Upstream.Dialect, model: String, sendsKey: Bool, problem: (String) -> GatewayError
    ) throws(GatewayError) {
        guard var parts = URLComponents(string: text), let scheme = Self.schemes[parts.scheme?.lowercased() ?? ""],
            let host = parts.host, !host.isEmpty
        else { throw problem("write a URL that begins with wss:// and names a host.") }
        guard parts.user == nil, parts.password == nil else {
            throw problem("write the key as 'key' and not into the URL.")
        }
        guard parts.fragment == nil else { throw problem("leave the part behind # out.") }
        guard scheme == "wss" || !sendsKey || Self.isLoopback(host) else {
            throw problem("ws:// would send the key in the clear. Use wss://.")
        }
        parts.scheme = scheme
        self.host = host
        if dialect == .gemini {
            url = try Self.geminiURL(parts, problem)
            return
        }
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        if !parts.path.hasSuffix("/realtime") { parts.path += "/realtime" }
        var items = parts.queryItems ?? []
        if !items.contains(where: { ["model", "deployment"].contains($0.name) }) {
            items.append(URLQueryItem(name: "model", value: model))
        }
        parts.queryItems = items
        guard let url = parts.string else { throw problem("the URL cannot be written.") }
        self.url = url
    }

    private static func geminiURL(
        _ parts: URLComponents, _ problem: (String) -> GatewayError
    ) throws(GatewayError) -> String {
        guard let base = parts.url else { throw problem("the URL cannot be written.") }
        do {
            return try GatewayAddress(base, dialect: .gemini).url.absoluteString
        } catch {
            throw problem("write a URL that begins with wss:// and names a host.")
        }
    }

    private static let schemes = ["ws": "ws", "wss": "wss", "http": "ws", "https": "wss"]

    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
