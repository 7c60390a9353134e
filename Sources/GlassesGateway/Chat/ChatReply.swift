import GlassesDomain
import GlassesPipeline

/// A brain's reply in the forms of the chat API.
struct ChatReply: Sendable {
    let id: String
    let created: Int
    /// Who answered: the model of the brain's endpoint, or the brain's name.
    let model: String
    /// Which brain answered, as `extentos-rules`: a client that wants prose can see that rules compose none.
    let fingerprint: String
    /// The answer, or what of it follows the words that were sent.
    var reply: BrainReply

    private var finishReason: JSONValue {
        switch reply.ending {
        case .complete: reply.calls.isEmpty ? "stop" : "tool_calls"
        case .tooLong: "length"
        case .withheld: "content_filter"
        }
    }

    /// What the brain counted; rules count no tokens.
    private var usage: JSONValue {
        let (input, output) = (reply.usage?.inputTokens ?? 0, reply.usage?.outputTokens ?? 0)
        return [
            "prompt_tokens": .int(Int64(input)), "completion_tokens": .int(Int64(output)),
            "total_tokens": .int(Int64(input.addingReportingOverflow(output).partialValue)),
        ]
    }

    /// The whole answer as one object.
    var completion: JSONValue {
        var message: [String: JSONValue] = [
            "role": "assistant", "content": reply.speech.map(JSONValue.string) ?? .null, "refusal": nil,
        ]
        if !reply.calls.isEmpty { message["tool_calls"] = .array(callsJSON(arePieces: false)) }
        return object(
            "chat.completion",
            choices: [["index": 0, "message": .object(message), "finish_reason": finishReason, "logprobs": nil]],
            usage: usage)
    }

    /// The answer as server-sent events: the role, the sentences, each call, and the end.
    func events(withUsage: Bool) -> [String] { [opening] + closing(withUsage: withUsage) }

    /// The event that begins an answer.
    var opening: String { event(piece(["role": "assistant", "content": ""])) }

    /// The event of some words.
    func words(_ text: String) -> String { event(piece(["content": .string(text)])) }

    /// The events from the reply's own words on: these, each call, the end, and what it cost when that is wanted.
    func closing(withUsage: Bool) -> [String] {
        var events = Self.sentences(of: reply.speech ?? "").map(words)
        events += callsJSON(arePieces: true).map { event(piece(["tool_calls": [$0]])) }
        events.append(event(piece([:], finishReason: finishReason)))
        if withUsage { events.append(event(object("chat.completion.chunk", choices: [], usage: usage))) }
        return events + ["data: [DONE]\n\n"]
    }

    private func event(_ body: JSONValue) -> String { "data: \(body.jsonText)\n\n" }

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

    private func callsJSON(arePieces: Bool) -> [JSONValue] {
        reply.calls.enumerated().map { index, call in
            var members: [String: JSONValue] = [
                "id": .string(PipelineConnector.randomId("call_")), "type": "function",
                "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
            ]
            if arePieces { members["index"] = .int(Int64(index)) }
            return .object(members)
        }
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
