import GlassesWebSocket

/// What a page on the list of allowed origins is told (the CORS protocol of the Fetch standard). Nobody else is told
/// anything.
enum CrossOrigin {
    /// How long a browser may keep the answer to a preflight, in seconds.
    private static let preflightLife = 600

    /// The header lines that let the page at `origin` read an answer.
    static func headers(for origin: String) -> HTTPFields {
        ["Access-Control-Allow-Origin": origin, "Vary": "Origin"]
    }

    /// The answer to a preflight of the page at `origin`; nil when the request is none. What the page asks for is
    /// granted: each request is judged again when it comes.
    static func preflight(method: String, headers: HTTPFields) -> HTTPResponse? {
        guard method == "OPTIONS", let asked = headers.first("Access-Control-Request-Method") else { return nil }
        var answer: HTTPFields = [
            "Access-Control-Allow-Methods": asked, "Access-Control-Max-Age": String(preflightLife),
        ]
        if let names = headers.first("Access-Control-Request-Headers") {
            answer.append(name: "Access-Control-Allow-Headers", value: names)
        }
        return HTTPResponse(status: 204, headers: answer)
    }
}
