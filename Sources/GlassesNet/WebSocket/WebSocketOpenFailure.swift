import GlassesDomain
import GlassesWebSocket

/// Why a WebSocket could not be opened.
public struct WebSocketOpenFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened, for people and for the decision to try again.
    public let closure: ConnectionClosure
    /// The answer of a server that refused the upgrade; nil in every other case.
    public let refusal: WebSocketRefusal?

    /// The sentence.
    public var description: String { closure.message }

    /// A failure below HTTP.
    init(_ error: NetworkError) {
        closure = ConnectionClosure(error)
        refusal = nil
    }

    /// An answer that is no WebSocket's.
    init(_ failure: WebSocketHandshakeFailure, host: String) {
        closure = ConnectionClosure(code: failure.code, message: "\(host): \(failure.message)")
        refusal = nil
    }

    /// A refused upgrade. `now` is in seconds since 1970, for a `Retry-After` that is a date.
    init(_ refusal: WebSocketRefusal, target: WebSocketTarget, now: Double) {
        closure = refusal.closure(target: target, now: now)
        self.refusal = refusal
    }

    /// What an asynchronous caller gets: for an attempt that it ended itself, what Swift throws then.
    var thrown: any Error {
        refusal == nil && closure.code == NetworkError.cancelled.code ? CancellationError() : self
    }
}

/// A server's answer that is no upgrade, for relays and diagnosis: it may hold secrets.
public struct WebSocketRefusal: Sendable, Hashable {
    /// The HTTP status.
    public let status: Int
    /// Its header fields.
    public let fields: HTTPFields
    /// The first 64 KiB of its body, as far as they came in time.
    public let body: [UInt8]

    /// A refusal with its parts.
    public init(status: Int, fields: HTTPFields, body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    func closure(target: WebSocketTarget, now: Double) -> ConnectionClosure {
        ConnectionClosure(
            code: errorCode ?? Self.name(of: status) ?? "not_upgraded", message: sentence(target), httpStatus: status,
            retryAfter: fields.first("Retry-After").flatMap { RetryAfter.seconds($0, now: now) })
    }

    /// The `code` or `type` of an error object in the body, if it looks like one: the text beside it may repeat a key.
    private var errorCode: String? {
        let document: JSONValue
        do {
            document = try JSONValue(jsonText: body)
        } catch {
            // A body that is not JSON has no code.
            return nil
        }
        guard case .object(let root) = document, case .object(let error) = root["error"] else { return nil }
        for name in ["code", "type"] {
            if case .string(let code) = error[name], Self.isCode(code) { return code }
        }
        return nil
    }

    /// Lower case words joined by underscores or dots; nothing that a key looks like.
    private static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: ".")
            }
    }

    /// What a status means in a word; nil for one that says little.
    static func name(of status: Int) -> String? {
        switch status {
        case 300..<400: "redirected"
        case 400: "bad_request"
        case 401: "unauthorized"
        case 403: "forbidden"
        case 404: "not_found"
        case 426: "upgrade_required"
        case 429: "rate_limited"
        case 500...599: "server_error"
        default: nil
        }
    }

    private func sentence(_ target: WebSocketTarget) -> String {
        let host = target.authority
        return switch status {
        case 200..<300: "\(host) answered without opening a WebSocket. Check that the URL names a realtime endpoint."
        case 300..<400: redirectSentence(target)
        case 400: "\(host) did not accept the request. Check the URL and the model's name."
        case 401: "\(host) did not accept the token. Give a valid one."
        case 403: "\(host) refuses access with this token or from this place. Ask who runs it."
        case 404: "\(host) has nothing at this path, or does not know the model. Check the URL."
        case 426: "\(host) has no WebSocket at this path, or of another version. Check the URL."
        case 429: "\(host) has had too many requests. Wait a while."
        case 500...599: "\(host) cannot serve the connection now (status \(status)). Try again later."
        default: "\(host) refused the connection with status \(status). Check the URL."
        }
    }

    /// Another origin is not named: whoever redirects there may want the token.
    private func redirectSentence(_ target: WebSocketTarget) -> String {
        let place = fields.first("Location").flatMap { target.sameOrigin(location: $0) }
        guard let place else {
            return
                "\(target.authority) redirects to another server, which is not followed. Ask who runs it for the URL."
        }
        return "\(target.authority) redirects to \(place). Use that URL."
    }
}
