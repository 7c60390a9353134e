/// A protocol for spoken conversations.
public enum RealtimeDialect: String, Sendable, Hashable, CaseIterable {
    /// The OpenAI Realtime protocol, which most servers and gateways speak.
    case openAI = "openai"
    /// Gemini Live (`BidiGenerateContent`).
    case gemini

    /// The path of Gemini Live behind a base URL that names none.
    static let geminiPath = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"

    /// The dialect of an endpoint whose URL has `path`: Gemini Live has its method's name there.
    static func spoken(at path: String) -> RealtimeDialect {
        let method = path.split(whereSeparator: { $0 == "/" || $0 == "." }).last ?? ""
        return ["BidiGenerateContent", "BidiGenerateContentConstrained"].contains(method) ? .gemini : .openAI
    }
}

/// Where a token stands in the request that opens a connection.
public enum GatewayTokenField: Sendable, Hashable {
    /// `Authorization: Bearer TOKEN`.
    case bearer
    /// A header field of this name, such as `api-key`, with the bare token.
    case header(String)
}
