import Foundation
import GlassesCore
import GlassesDomain

/// The host that a connection to a gateway goes to first: the gateway itself, or the proxy that the environment names.
struct NetworkRoute: Sendable, Hashable {
    /// The host's name or address.
    let host: String
    /// Its TCP port.
    let port: Int
    /// The variable that names it, if it is a proxy.
    let proxyVariable: String?

    /// The way to `address`, by the variables that libcurl reads.
    init(to address: GatewayAddress, environment: [String: String]) {
        let names =
            address.isEncrypted
            ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] : ["http_proxy", "all_proxy", "ALL_PROXY"]
        let variable = names.first { environment[$0]?.isEmpty == false }
        guard let variable, let text = environment[variable], !Self.isExcepted(address.host, environment),
            let proxy = URLComponents(string: text.contains("://") ? text : "http://" + text), let host = proxy.host
        else {
            (host, port, proxyVariable) = (address.host, address.port, nil)
            return
        }
        // libcurl's port for a proxy whose URL names none.
        (self.host, port, proxyVariable) = (host, proxy.port ?? 1_080, variable)
    }

    private static func isExcepted(_ host: String, _ environment: [String: String]) -> Bool {
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return list.split(whereSeparator: { ", ".contains($0) }).contains { entry in
            let suffix = entry.hasPrefix(".") ? String(entry.dropFirst()) : String(entry)
            return suffix == "*" || host == suffix || host.hasSuffix("." + suffix)
        }
    }
}
