import Foundation
import GlassesWebSocket

/// Sends HTTP requests on the network thread of the process; connections are kept and used again.
///
/// ```swift
/// let response = try await HTTPClient().send(HTTPRequest(url))
/// let bytes = try await response.body.collect(limit: 1 << 20)
/// ```
public struct HTTPClient: Sendable {
    private let settings: NetworkSettings

    /// A client; making one costs nothing and opens nothing.
    public init(settings: NetworkSettings = NetworkSettings()) { self.settings = settings }

    /// Sends a request and returns when the head of the response is there. No status is an error, and no redirect is followed.
    ///
    /// Throws ``NetworkError``, and `CancellationError` when the task is cancelled, which ends the transfer at once.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Self.check(request)
        let exchange = HTTPExchange()
        let options = HTTPTransferSettings(
            network: settings, url: request.url, environment: ProcessInfo.processInfo.environment)
        let address = try NetworkLoop.shared.adopt { loop, id in
            HTTPTransfer(loop: loop, id: id, request: request, settings: options, exchange: exchange)
        }
        exchange.attach(address)
        if case .stream(_, let next) = request.body { exchange.upload(next) }
        let stream = HTTPBodyStream(exchange: exchange)
        let head = try await exchange.head()
        return HTTPResponse(status: head.status, fields: head.fields, body: HTTPResponseBody(stream: stream))
    }

    /// What the kernel's address of a Unix socket holds, in bytes.
    private static let longestSocketPath = 107

    private static func check(_ request: HTTPRequest) throws(NetworkError) {
        guard let scheme = request.url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            request.url.host()?.isEmpty == false
        else { throw NetworkError(.invalidURL, "An HTTP request needs a URL with http or https and a host.") }
        if let path = request.unixSocket, !path.hasPrefix("/") || path.utf8.count > longestSocketPath {
            throw NetworkError(
                .invalidURL, "A Unix socket needs an absolute path of at most \(longestSocketPath) bytes.")
        }
        guard !request.fields.hasForbiddenBytes, HTTPFields.isToken(request.method) else {
            throw NetworkError(
                .invalidRequest, "A header name or the method is no HTTP token, or a value holds a line break.")
        }
    }
}
