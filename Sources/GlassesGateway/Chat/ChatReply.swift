import GlassesDomain
import GlassesPipeline

/// A brain's reply in the forms of the chat API.
struct ChatReply {
    let id: String
    let created: Int
    let model: String
    /// Which brain answered, as `extentos-rules`: a client that wants prose can see that rules compose none.
    let fingerprint: String
    let speech: String?
    let calls: [(id: String, call: BrainFunctionCall)]

    private var finishReason: JSONValue { calls.isEmpty ? "stop" : "tool_calls" }

    /// Rules count no tokens.
    private static let usage: JSONValue = ["prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0]

    /// The whole answer as one object.
    var completion: JSONValue {
        var message: [String: JSONValue] = [
            "role": "assistant", "content": speech.map(JSONValue.string) ?? .null, "refusal": nil,
        ]
        if !calls.isEmpty { message["tool_calls"] = .array(calls.indices.map { callJSON($0, isPiece: false) }) }
        return object(
            "chat.completion",
            choices: [["index": 0, "message": .object(message), "finish_reason": finishReason, "logprobs": nil]],
            usage: Self.usage)
    }

    /// The answer as server-sent events: the role, the sentences, each call, and the end.
    func events(withUsage: Bool) -> [String] {
        var pieces = [piece(["role": "assistant", "content": ""])]
        pieces += Self.sentences(of: speech ?? "").map { piece(["content": .string($0)]) }
        pieces += calls.indices.map { piece(["tool_calls": [callJSON($0, isPiece: true)]]) }
        pieces.append(piece([:], finishReason: finishReason))
        if withUsage { pieces.append(object("chat.completion.chunk", choices: [], usage: Self.usage)) }
        return pieces.map { "data: \($0.jsonText)\n\n" } + ["data: [DONE]\n\n"]
    }

    private func piece(_ delta: JSONValue, finishReason: JSONValue = nil) -> JSONValue {
        object(
            "chat.completion.chunk",
            choices: [["index": 0, "delta": delta, "finish_reason": finishReason, "logprobs": nil]], usage: nil)
    }

    private func object(_ kind: String, choices: JSONValue, usage: JSONValue?) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "object": .string(kind), "created": .int(Int64(created)), "model": .string(model),
            "system_fingerprint": .string(fingerprint), "choices": choices,
        ]
        if let usage { members["usage"] = usage }
        return .object(members)
    }

    private func callJSON(_ index: Int, isPiece: Bool) -> JSONValue {
        let (id, call) = calls[index]
        var members: [String: JSONValue] = [
            "id": .string(id), "type": "function",
            "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
        ]
        if isPiece { members["index"] = .int(Int64(index)) }
        return .object(members)
    }

    /// The text in pieces that end behind the space after a sentence; joined they are the text.
    static func sentences(of text: String) -> [String] {
        var sentences: [String] = []
        var sentence = ""
        var isOver = false
        for character in text {
            if isOver, !character.isWhitespace {
                sentences.append(sentence)
                sentence = ""
                isOver = false
            }
            sentence.append(character)
            if [".", "!", "?"].contains(character) { isOver = true } else if !character.isWhitespace { isOver = false }
        }
        return sentence.isEmpty ? sentences : sentences + [sentence]
    }
}
