import Foundation
import GlassesWebSocket

extension HTTPRequest {
    /// A POST of the JSON text `body` to `url`; `bearer` is a token for `Authorization`, `accept` the media type that is wanted back.
    /// `timeout` and `idleTimeout` as in the initialiser.
    public static func json(
        _ body: [UInt8], to url: URL, bearer: String? = nil, accept: String = "application/json",
        timeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(60)
    ) -> HTTPRequest {
        var fields = HTTPFields([
            ("User-Agent", "extentos"), ("Content-Type", "application/json"), ("Accept", accept),
        ])
        if let bearer { fields.append(name: "Authorization", value: "Bearer \(bearer)") }
        return HTTPRequest(
            "POST", url, fields: fields, body: .bytes(body), timeout: timeout, idleTimeout: idleTimeout)
    }
}

extension HTTPResponse {
    /// The media type of the body in lower case, without its parameters, such as `text/event-stream`; empty when none was named.
    public var mediaType: String {
        let value = fields.first("content-type") ?? ""
        return value.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// How long the server asks to be left alone (`Retry-After`), at most a day; nil when it does not, or not so that it can be read.
    public var retryAfter: Duration? {
        let now = Date().timeIntervalSince1970
        return fields.first("retry-after").flatMap { RetryAfter.seconds($0, now: now) }
            .map { .seconds(min($0, 86_400)) }
    }
}
