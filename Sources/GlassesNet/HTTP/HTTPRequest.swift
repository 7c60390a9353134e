import Foundation
import GlassesWebSocket

/// What an HTTP request carries.
public enum HTTPRequestBody: Sendable {
    /// Nothing.
    case none
    /// These bytes.
    case bytes([UInt8])
    /// What `next` gives, piece by piece, until it gives nil; it is asked as fast as the peer reads. An error of it ends the
    /// request. With nil for the length in bytes it is sent in chunks.
    case stream(length: Int?, next: @Sendable () async throws -> [UInt8]?)
}

/// An HTTP/1.1 request.
public struct HTTPRequest: Sendable {
    /// The method, `GET` by default.
    public var method: String
    /// Where to, `http` or `https`.
    public var url: URL
    /// A Unix socket by its absolute path, at most 107 bytes, that is connected to in the place of the URL's host; nil, the default,
    /// for none. No proxy is asked then.
    public var unixSocket: String?
    /// Fields beside those that the URL and the body imply.
    public var fields: HTTPFields
    /// The body.
    public var body: HTTPRequestBody
    /// How long the response's head may take, from the name lookup on; 30 s by default.
    public var timeout: Duration
    /// How long the peer may send nothing of the body while it is being read; 60 s by default.
    public var idleTimeout: Duration

    /// A request.
    public init(
        _ method: String = "GET", _ url: URL, fields: HTTPFields = HTTPFields(), body: HTTPRequestBody = .none,
        timeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(60)
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.idleTimeout = idleTimeout
    }
}
