import GlassesRealtime
import GlassesServer
import GlassesWebSocket

extension HTTPResponse {
    /// A refusal of what a client sent, by the realtime protocol's own error.
    static func invalid(_ error: RealtimeErrorInfo, status: Int = 400) -> HTTPResponse {
        .error(
            status, code: error.code ?? "invalid_value", message: error.message, type: error.type, param: error.param)
    }

    /// The request presents no key, or a wrong one.
    static var unauthorized: HTTPResponse {
        .error(
            401, code: "invalid_api_key",
            message: "The key is missing or wrong. Send a token of this gateway as 'Authorization: Bearer TOKEN'.",
            headers: ["WWW-Authenticate": "Bearer"])
    }

    /// A plain request came to an endpoint for WebSockets.
    static var upgradeRequired: HTTPResponse {
        .error(
            426, code: "upgrade_required",
            message: "This endpoint speaks WebSocket only. Connect with ws:// or wss://.",
            headers: ["Upgrade": "websocket"])
    }

    /// The gateway is about to end.
    static var draining: HTTPResponse {
        later(503, seconds: 5, code: "draining", message: "This gateway is shutting down. Connect again in a moment.")
    }

    /// The limits of the gateway or of a token are reached.
    static func refusal(_ refusal: Quota.Refusal) -> HTTPResponse {
        switch refusal {
        case .full:
            later(
                503, seconds: 10, code: "session_limit_reached",
                message: "All sessions of this gateway are taken. Try again later.")
        case .ownerFull:
            later(
                429, seconds: 10, code: "session_limit_reached",
                message: "All sessions of this token are taken. End one, or try again later.")
        case .tooFast(let seconds):
            later(
                429, seconds: seconds, code: "rate_limit_exceeded",
                message: "This token asks too fast. Try again in a second.")
        }
    }

    /// A refusal after which a client may try again in `seconds`; nil says nothing about when.
    static func later(_ status: Int, seconds: Int?, code: String, message: String) -> HTTPResponse {
        var response = error(
            status, code: code, message: message, type: status == 429 ? "rate_limit_error" : "server_error")
        if let seconds { response.headers.append(name: "Retry-After", value: String(seconds)) }
        return response
    }
}

extension RealtimeErrorInfo {
    static func invalidRequest(_ param: String?, _ message: String, code: String = "invalid_value") -> RealtimeErrorInfo
    {
        RealtimeErrorInfo(message: message, code: code, param: param)
    }
}
