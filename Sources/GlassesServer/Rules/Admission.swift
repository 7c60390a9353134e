import GlassesWebSocket

/// The rules that every request passes before a handler, and before an upgrade, in the order in which they are checked.
struct Admission: Sendable {
    var hosts: HostRule
    var origins: OriginRule
    var limits: ServerLimits

    /// What becomes of a request.
    enum Verdict {
        /// It goes to the handler once its body, if any, is there.
        case accepted(HTTPRequest, bodyLength: BodyLength)
        case refused(HTTPResponse)
    }

    /// How the end of a body is found.
    enum BodyLength: Equatable {
        case none
        case known
        case chunked
    }

    /// The verdict, and what an allowed page's browser must read in the answer to it.
    struct Judgement {
        var verdict: Verdict
        var crossOrigin: HTTPFields
    }

    /// Judges a request by its head.
    func judge(_ head: RequestHead) -> Judgement {
        guard hosts.allows(head.fields.values("Host"), reachedAt: head.local) else {
            return refusal(
                403, "host_not_allowed",
                "The Host header does not name this server as it was started. Use its address, or start it with the name."
            )
        }
        var crossOrigin = HTTPFields()
        switch origins.judge(head.fields.values("Origin")) {
        case .absent: break
        case .allowed(let origin): crossOrigin = CrossOrigin.headers(for: origin)
        case .foreign:
            return refusal(
                403, "origin_not_allowed",
                "Pages of this origin may not use this server. Start it with the origin allowed.")
        }
        if let refused = refuse(head) { return Judgement(verdict: .refused(refused), crossOrigin: crossOrigin) }
        if !crossOrigin.all.isEmpty, let preflight = CrossOrigin.preflight(method: head.method, headers: head.fields) {
            return Judgement(verdict: .refused(preflight), crossOrigin: crossOrigin)
        }
        return Judgement(verdict: accept(head), crossOrigin: crossOrigin)
    }

    private func refusal(_ status: Int, _ code: String, _ message: String) -> Judgement {
        Judgement(verdict: .refused(.error(status, code: code, message: message)), crossOrigin: HTTPFields())
    }

    /// The refusal of a request that is too much in number or size.
    private func refuse(_ head: RequestHead) -> HTTPResponse? {
        switch head.crowding {
        case .server:
            return .error(
                503, code: "server_full", message: "The server holds as many connections as it may. Try again later.",
                headers: ["Retry-After": "5"])
        case .address:
            return .error(
                429, code: "too_many_connections",
                message: "This address holds as many connections as it may. Close some, then try again.",
                type: "requests", headers: ["Retry-After": "5"])
        case nil: break
        }
        if let target = head.target, target.utf8.count > limits.requestTarget {
            return .error(414, code: "target_too_long", message: "The URL is too long. Send less in it.")
        }
        let size = head.fields.all.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard size <= limits.requestHeaders, head.fields.all.count <= limits.headerLines else {
            return .error(
                431, code: "headers_too_large", message: "The request's headers are too large. Send less in them.")
        }
        return nil
    }

    private func accept(_ head: RequestHead) -> Verdict {
        guard let raw = head.target, let target = HTTPTarget(raw), target.path != "*" || head.method == "OPTIONS" else {
            return .refused(
                .error(400, code: "bad_target", message: "The URL's path or query is malformed. Correct it."))
        }
        let length: BodyLength
        switch bodyLength(head.fields) {
        case .failure(let refusal): return .refused(refusal.response)
        case .success(let known): length = known
        }
        var request = HTTPRequest(
            method: head.method, path: target.path, pathSegments: target.segments, query: target.query,
            headers: head.fields,
            body: [], remoteAddress: head.remote.description, isLoopback: head.remote.isLoopback, isTLS: head.isTLS)
        guard head.fields.contains("Upgrade", token: "websocket") else { return .accepted(request, bodyLength: length) }
        guard length == .none, head.version == "HTTP/1.1" else {
            return .refused(
                .error(
                    400, code: "bad_upgrade",
                    message: "A WebSocket is opened by an HTTP/1.1 request without a body. Correct it."))
        }
        do {
            request.webSocket = try WebSocketUpgradeOffer(method: head.method, fields: head.fields)
            return .accepted(request, bodyLength: .none)
        } catch {
            return .refused(HTTPResponse.refusal(error))
        }
    }

    private struct Refusal: Error {
        var response: HTTPResponse
    }

    /// How the body ends. Two contradicting statements are refused: a proxy before us may believe the other one.
    private func bodyLength(_ fields: HTTPFields) -> Result<BodyLength, Refusal> {
        let codings = fields.elements("Transfer-Encoding")
        let lengths = fields.values("Content-Length")
        if !codings.isEmpty {
            guard codings.map({ $0.lowercased() }) == ["chunked"], lengths.isEmpty else {
                return failure(
                    400, "bad_body_length", "The request says in more than one way how long its body is. Send one.")
            }
            return .success(.chunked)
        }
        guard let first = lengths.first else { return .success(.none) }
        guard lengths.count == 1, !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return failure(400, "bad_body_length", "Content-Length must be one number. Correct it.")
        }
        guard let length = Int(first), length <= limits.requestBody else {
            return .failure(Refusal(response: .bodyTooLarge(limits)))
        }
        return .success(length == 0 ? .none : .known)
    }

    private func failure(_ status: Int, _ code: String, _ message: String) -> Result<BodyLength, Refusal> {
        .failure(Refusal(response: .error(status, code: code, message: message)))
    }
}

extension HTTPResponse {
    /// The answer to a body above the limit.
    static func bodyTooLarge(_ limits: ServerLimits) -> HTTPResponse {
        .error(413, code: "body_too_large", message: "A body has at most \(limits.requestBody) bytes here. Send less.")
    }

    /// The answer to what is no valid request for a WebSocket.
    static func refusal(_ refusal: WebSocketUpgradeRefusal) -> HTTPResponse {
        .error(refusal.status, code: refusal.code, message: refusal.message, headers: refusal.fields)
    }
}
