import GlassesWebSocket

extension HTTPFields {
    /// What every request to an upstream carries: the operator's key, if there is one, and nothing of the client.
    init(upstreamKey key: String?, in header: Upstream.KeyHeader) {
        self.init()
        append(name: "User-Agent", value: "extentos-gateway")
        guard let key else { return }
        switch header {
        case .authorization: append(name: "Authorization", value: "Bearer \(key)")
        case .apiKey, .googleKey: append(name: header.rawValue, value: key)
        }
    }
}
