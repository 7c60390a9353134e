import Foundation
import GlassesDomain
import GlassesWebSocket

/// The chat face of a gateway, `/v1/chat/completions`, behind the chat port.
public enum GatewayChat {
    /// How long an answer may take; the port's own bound.
    private static let timeout = Duration.seconds(60)
    /// The largest answer, in bytes: far more than any that is asked for.
    private static let answerLimit = 1 << 20

    /// A port whose prompts go to the gateway that `endpoint` names, nil for one that speaks another dialect than OpenAI's; throws as the
    /// connections to it would.
    public static func make(_ endpoint: GatewayEndpoint) throws(ConnectionClosure) -> ChatPort? {
        let link = GatewayLink(
            address: try endpoint.checkedAddress(), endpoint: endpoint, options: GatewayConnectorOptions())
        guard link.address.dialect == .openAI else { return nil }
        guard let url = url(beside: link.address.url) else {
            throw ConnectionClosure(code: "invalid_url", message: "The gateway's URL has no place for chats.")
        }
        return ChatPort { prompt in
            do {
                return try await answer(prompt, at: url, by: link)
            } catch let error as NetworkError {
                if error.cause == .cancelled { throw CancellationError() }
                throw ChatFailure(code: error.code)
            } catch let closure as ConnectionClosure {
                throw ChatFailure(code: closure.code)
            }
        }
    }

    private static func url(beside realtime: URL) -> URL? {
        guard var parts = URLComponents(url: realtime, resolvingAgainstBaseURL: true) else { return nil }
        parts.scheme = parts.scheme == "wss" ? "https" : "http"
        parts.percentEncodedPath = String(parts.percentEncodedPath.dropLast("/realtime".count)) + "/chat/completions"
        return parts.url
    }

    private static func answer(_ prompt: ChatPrompt, at url: URL, by link: GatewayLink) async throws -> String {
        var fields = try await link.authorization()
        fields.append(name: "Content-Type", value: "application/json")
        let request = HTTPRequest(
            "POST", url, fields: fields, body: .bytes(Array(ChatBody.json(of: prompt).jsonText.utf8)),
            timeout: timeout, idleTimeout: timeout)
        let response = try await HTTPClient(settings: link.network).send(request)
        let bytes = try await response.body.collect(limit: answerLimit)
        return try ChatBody.answer(in: bytes, status: response.status)
    }
}

/// Prompts and answers in the form of the chat API.
enum ChatBody {
    /// The request. Models that reason before they write take a budget for it, and no temperature.
    static func json(of prompt: ChatPrompt) -> JSONValue {
        let model = prompt.model ?? ChatPrompt.defaultModel
        var members: [String: JSONValue] = [
            "model": .string(model),
            "messages": [
                ["role": "system", "content": .string(prompt.instructions)],
                ["role": "user", "content": .string(prompt.text)],
            ],
        ]
        if model.hasPrefix("gpt-5") {
            members["max_completion_tokens"] = .int(Int64(prompt.tokens + reasoningTokens))
            members["reasoning_effort"] = "low"
        } else {
            members["max_completion_tokens"] = .int(Int64(prompt.tokens))
            members["temperature"] = .double(prompt.temperature)
        }
        if prompt.wantsJSON { members["response_format"] = ["type": "json_object"] }
        return .object(members)
    }

    /// What a model thinks at a low effort, in tokens.
    private static let reasoningTokens = 2_000
    /// How a gateway marks answers of its rules, which write no prose.
    private static let rules = "extentos-rules"
    /// How it marks them while its model does not answer.
    private static let rulesForNow = "extentos-rules-fallback"

    /// The words of an answer.
    static func answer(in bytes: [UInt8], status: Int) throws(ChatFailure) -> String {
        let json: JSONValue
        do {
            json = try JSONValue(jsonText: bytes)
        } catch {
            throw ChatFailure(code: status == 200 ? "invalid_answer" : "http_\(status)")
        }
        guard status == 200 else {
            // A gateway whose brain follows rules cannot write JSON either, and one without chats has no such path.
            let isPermanent = status == 404 || json["error"]?["code"] == "unsupported_response_format"
            throw ChatFailure(code: isPermanent ? "no_model" : "http_\(status)", isPermanent: isPermanent)
        }
        let fingerprint = json["system_fingerprint"]?.stringValue ?? ""
        if fingerprint == rules { throw ChatFailure(code: "no_model", isPermanent: true) }
        if fingerprint == rulesForNow { throw ChatFailure(code: "no_model") }
        let text = json["choices"]?.arrayValue?.first?["message"]?["content"]?.stringValue ?? ""
        guard text.contains(where: { !$0.isWhitespace }) else { throw ChatFailure(code: "empty_answer") }
        return text
    }
}
