import CCurl
import Foundation
import GlassesWebSocket

/// How a request becomes libcurl's options.
struct HTTPTransferSettings: Sendable {
    var network: NetworkSettings
    var route: ProxyRoute

    init(network: NetworkSettings, url: URL, environment: [String: String]) {
        self.network = network
        route = ProxyRoute(network.proxy, scheme: url.scheme?.lowercased() ?? "", environment: environment)
    }

    /// Sets everything but the callbacks.
    func apply(to handle: CurlHandle, _ request: HTTPRequest) {
        handle.set(CURLOPT_URL, request.url.absoluteString)
        handle.apply(network, route: route)
        if let path = request.unixSocket {
            handle.set(CURLOPT_PROXY, "")
            handle.set(CURLOPT_UNIX_SOCKET_PATH, path)
        }
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        applyBody(of: request, to: handle)
        handle.set(CURLOPT_HTTPHEADER, Self.lines(of: request))
    }

    private func applyBody(of request: HTTPRequest, to handle: CurlHandle) {
        let method = request.method
        switch request.body {
        case .none where method == "HEAD": handle.set(CURLOPT_NOBODY, 1)
        case .none where ["POST", "PUT", "PATCH"].contains(method): handle.set(body: [])
        case .none: handle.set(CURLOPT_HTTPGET, 1)
        case .bytes(let bytes): handle.set(body: bytes)
        case .stream(let length, _):
            handle.set(CURLOPT_UPLOAD, 1)
            handle.note(ccurl_set_offset(handle.raw, CURLOPT_INFILESIZE_LARGE, curl_off_t(length ?? -1)))
            // A kept connection that turns out to be closed would need the body again from its start.
            handle.set(CURLOPT_FRESH_CONNECT, 1)
        }
        if method != "HEAD" { handle.set(CURLOPT_CUSTOMREQUEST, method) }
    }

    /// libcurl's form of the fields: a name with a semicolon has an empty value, one with a bare colon takes the field out.
    private static func lines(of request: HTTPRequest) -> [String] {
        var lines = request.fields.all.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        for implied in ["Expect", "Content-Type"] where request.fields.first(implied) == nil {
            lines.append("\(implied):")
        }
        return lines
    }
}

extension CurlHandle {
    /// libcurl copies the bytes, and can send them again on another connection.
    fileprivate func set(body bytes: [UInt8]) {
        set(CURLOPT_POST, 1)
        note(ccurl_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        bytes.withUnsafeBytes { note(ccurl_set_copied_body(raw, $0.baseAddress)) }
    }
}
