import CCurl

/// The proxy that one connection takes.
struct ProxyRoute: Equatable {
    /// Nil: no proxy.
    var proxy: Proxy?
    /// Hosts that are reached without it, in curl's form: names and suffixes separated by commas, or `*`.
    var exceptions = ""

    /// Decides for a connection of `scheme` (`http` or `https`). As with curl, lower case wins over upper case, and
    /// `HTTP_PROXY` in upper case is not read: a web server's child process gets it from any client.
    init(_ choice: ProxyChoice, scheme: String, environment: [String: String]) {
        switch choice {
        case .none: proxy = nil
        case .fixed(let fixed): proxy = fixed
        case .environment:
            let names =
                scheme == "https"
                ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] : ["http_proxy", "all_proxy", "ALL_PROXY"]
            proxy = Self.first(names, in: environment).map { Proxy(url: $0) }
            exceptions = Self.first(["no_proxy", "NO_PROXY"], in: environment) ?? ""
        }
    }

    private static func first(_ names: [String], in environment: [String: String]) -> String? {
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
}

extension CurlHandle {
    /// Sets trust and way. Nothing is left to libcurl's own look at the environment.
    func apply(_ settings: NetworkSettings, route: ProxyRoute) {
        // Authorities of one file are kept by libcurl for the next connection. With a folder beside it they would be read anew
        // for each, on the network thread.
        set(CURLOPT_CAPATH, nil)
        if let caFile = settings.caFile { set(CURLOPT_CAINFO, caFile) }
        // An empty text means no proxy; nil would mean the environment's.
        set(CURLOPT_PROXY, route.proxy?.url ?? "")
        set(CURLOPT_NOPROXY, route.exceptions)
        if let user = route.proxy?.user { set(CURLOPT_PROXYUSERNAME, user) }
        if let password = route.proxy?.password { set(CURLOPT_PROXYPASSWORD, password) }
    }
}
