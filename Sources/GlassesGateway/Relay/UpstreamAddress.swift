import Foundation
import GlassesDomain

/// The address of an upstream as it is connected to, made of what the operator wrote.
struct UpstreamAddress {
    let url: String
    let host: String

    /// Which of an endpoint's two faces is meant.
    enum Face {
        /// Sessions over WebSocket: the path is what the dialect wants, and the model goes into the query where it stands there.
        case realtime(Upstream.Dialect, model: String)
        /// Chats over HTTP.
        case chat

        fileprivate var path: String {
            switch self {
            case .realtime: "/realtime"
            case .chat: "/chat/completions"
            }
        }

        fileprivate var secure: String {
            switch self {
            case .realtime: "wss"
            case .chat: "https"
            }
        }

        fileprivate var clear: String {
            switch self {
            case .realtime: "ws"
            case .chat: "http"
            }
        }
    }

    /// Checks `text` and completes its path, and its query with the model; `problem` makes the error out of a reason.
    init(
        _ text: String, face: Face, sendsKey: Bool, problem: (String) -> GatewayError
    ) throws(GatewayError) {
        guard var parts = URLComponents(string: text), let isSecure = Self.schemes[parts.scheme?.lowercased() ?? ""],
            let host = parts.host, !host.isEmpty
        else { throw problem("write a URL that begins with \(face.secure):// and names a host.") }
        guard parts.user == nil, parts.password == nil else {
            throw problem("write the key as 'key' and not into the URL.")
        }
        guard parts.fragment == nil else { throw problem("leave the part behind # out.") }
        guard isSecure || !sendsKey || Self.isLoopback(host) else {
            throw problem("\(face.clear):// would send the key in the clear. Use \(face.secure)://.")
        }
        parts.scheme = isSecure ? face.secure : face.clear
        self.host = host
        if case .realtime(.gemini, _) = face {
            url = try Self.geminiURL(parts, problem)
            return
        }
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        if !parts.path.hasSuffix(face.path) { parts.path += face.path }
        if case .realtime(_, let model) = face {
            var items = parts.queryItems ?? []
            if !items.contains(where: { ["model", "deployment"].contains($0.name) }) {
                items.append(URLQueryItem(name: "model", value: model))
            }
            parts.queryItems = items
        }
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

    private static let schemes = ["ws": false, "wss": true, "http": false, "https": true]

    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
