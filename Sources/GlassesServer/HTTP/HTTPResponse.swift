import GlassesDomain
import GlassesWebSocket

/// An answer to a plain request.
public struct HTTPResponse: Sendable {
    /// What follows the head.
    public enum Body: Sendable {
        /// The whole body; its length is sent along.
        case bytes([UInt8])
        /// A body that is written while it is sent, in chunks.
        case stream(HTTPBodyStream)
    }

    /// The status, 200…599; anything else is sent as 500.
    public var status: Int
    /// The header lines. `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are the server's and are
    /// ignored here; so is a line that HTTP does not allow.
    public var headers: HTTPFields
    /// The body; not sent for HEAD and for a status that has none.
    public var body: Body

    /// An answer of the given parts.
    public init(status: Int, headers: HTTPFields = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A JSON document.
    public static func json(_ value: JSONValue, status: Int = 200, headers: HTTPFields = [:]) -> HTTPResponse {
        text(value.jsonText, type: "application/json", status: status, headers: headers)
    }

    /// A text of the given media type, in UTF-8.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200, headers: HTTPFields = [:]
    ) -> HTTPResponse {
        var headers = headers
        headers.set("Content-Type", type)
        return HTTPResponse(status: status, headers: headers, body: .bytes(Array(text.utf8)))
    }

    /// A refusal in the form that clients of the OpenAI API read: `{"error":{"message","type","param","code"}}`.
    ///
    /// The message is one sentence with the next step and without secrets; `type` is `invalid_request_error` for the
    /// client's faults and `server_error` for ours.
    public static func error(
        _ status: Int, code: String, message: String, type: String? = nil, param: String? = nil,
        headers: HTTPFields = [:]
    ) -> HTTPResponse {
        let error: JSONValue = [
            "message": .string(message),
            "type": .string(type ?? (status < 500 ? "invalid_request_error" : "server_error")),
            "param": param.map(JSONValue.string) ?? .null,
            "code": .string(code),
        ]
        return json(["error": error], status: status, headers: headers)
    }
}
