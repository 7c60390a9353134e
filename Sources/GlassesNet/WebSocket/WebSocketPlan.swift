import GlassesWebSocket

/// A checked request: everything that can be wrong with it has been looked at before the network thread hears of it.
struct WebSocketPlan: Sendable {
    let target: WebSocketTarget
    let upgrade: WebSocketUpgradeRequest
    let settings: NetworkSettings
    let route: ProxyRoute
    let limits: WebSocketLimits
    let openTimeout: Duration
    let connected: (@Sendable () -> Void)?

    /// Whether any of the way is encrypted by TLS.
    var usesTLS: Bool { target.scheme == "https" || route.proxy?.url.lowercased().hasPrefix("https:") == true }

    init(_ request: WebSocketRequest, environment: [String: String]) throws(NetworkError) {
        target = try WebSocketTarget(request.url)
        let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        do throws(WebSocketHandshakeFailure) {
            upgrade = try WebSocketUpgradeRequest(
                host: target.authority, path: target.path, key: key, subprotocols: request.subprotocols,
                headers: request.fields)
        } catch {
            throw NetworkError(.invalidRequest, error.message)
        }
        settings = request.settings
        route = ProxyRoute(settings.proxy, scheme: target.scheme, environment: environment)
        limits = request.limits
        openTimeout = request.openTimeout
        connected = request.connected
    }
}
