import GlassesDomain
import Testing

@testable import GlassesGateway

/// What the validator of a strict client library objects to, looked for in everything that a busy session sends.
@Suite("Strict validation", .timeLimit(.minutes(5)))
struct StrictValidationTests {
    @Test("every event of a busy session passes")
    func busySession() async throws {
        let rig = try GatewayRig(recognizer: FakeRecognizer("hello there", "", "think"))
        let client = try await SocketClient.open(rig.base)
        client.send([
            "type": "session.update",
            "session": [
                "type": "realtime", "tools": [["type": "function", "name": "look", "parameters": ["type": "object"]]],
                "audio": [
                    "input": ["transcription": ["model": "gpt-4o-mini-transcribe"]], "output": ["voice": "ash"],
                ],
            ],
        ])
        var events: [JSONValue] = []
        client.speak()
        events += try await client.events(until: "response.done")
        client.say("call")
        events += try await client.events(until: "response.done")
        client.send(["type": "response.create", "event_id": "e", "response": ["output_modalities": ["text"]]])
        events += try await client.events(until: "response.done")
        client.speak()
        events += try await client.events(until: "conversation.item.deleted")
        client.speak()
        events += try await client.events(until: "response.created")
        client.send(["type": "response.create", "event_id": "f"])
        events += try await client.events(until: "error")
        client.speak()
        events += try await client.events(until: "response.done")
        let problems = events.flatMap(Self.problems)
        #expect(problems.isEmpty, "\(problems)")
        #expect(Set(events.compactMap { $0["event_id"]?.stringValue }).count == events.count)
        let seen = Set(events.compactMap { $0["type"]?.stringValue })
        #expect(seen.isSuperset(of: ["response.function_call_arguments.done", "response.output_text.done"]))
        client.close()
    }

    private static func problems(_ event: JSONValue) -> [String] {
        let type = event["type"]?.stringValue ?? ""
        guard let rule = rules[type] else { return ["unknown event '\(type)'"] }
        var problems = (rule + ["event_id"]).filter { event[path: $0] == nil }.map { "\(type) without \($0)" }
        for item in [event["item"]] + (event["response"]?["output"]?.arrayValue ?? []) {
            if let item { problems += itemProblems(item, type) }
        }
        if let part = event["part"]?["type"]?.stringValue, !["text", "audio"].contains(part) {
            problems.append("\(type): part type \(part)")
        }
        if let session = event["session"] { problems += sessionProblems(session, type) }
        if let status = event["response"]?["status"]?.stringValue,
            !["in_progress", "completed", "cancelled", "failed", "incomplete"].contains(status)
        {
            problems.append("\(type): response status \(status)")
        }
        return problems
    }

    private static func itemProblems(_ item: JSONValue, _ type: String) -> [String] {
        switch item["type"]?.stringValue {
        case "message":
            guard let content = item["content"]?.arrayValue else { return ["\(type): message without content"] }
            let allowed =
                item["role"] == "assistant" ? ["output_text", "output_audio"] : ["input_text", "input_audio"]
            return content.compactMap { $0["type"]?.stringValue }.filter { !allowed.contains($0) }
                .map { "\(type): content type \($0)" }
        case "function_call": return item["name"] == nil || item["arguments"] == nil ? ["\(type): half a call"] : []
        case "function_call_output":
            return item["call_id"] == nil || item["output"] == nil ? ["\(type): half an output"] : []
        case let other: return ["\(type): item type \(other ?? "none")"]
        }
    }

    private static func sessionProblems(_ session: JSONValue, _ type: String) -> [String] {
        var problems: [String] = []
        if session["type"] != "realtime" { problems.append("\(type): session without type") }
        for side in ["input", "output"]
        where session["audio"]?[side]?["format"] != ["type": "audio/pcm", "rate": 24_000] {
            problems.append("\(type): \(side) format")
        }
        if session["audio"]?["input"]?["turn_detection"]?["type"] == "none" { problems.append("\(type): type none") }
        return problems
    }

    private static let part = ["response_id", "item_id", "output_index", "content_index"]
    /// The fields that each event must have; an event that is not here is not one of the protocol.
    private static let rules: [String: [String]] = [
        "error": ["error.message", "error.type"], "session.created": ["session"], "session.updated": ["session"],
        "conversation.item.added": ["item"], "conversation.item.done": ["item"],
        "conversation.item.deleted": ["item_id"],
        "conversation.item.input_audio_transcription.completed": [
            "item_id", "content_index", "transcript", "usage.type",
        ],
        "input_audio_buffer.committed": ["item_id"],
        "input_audio_buffer.speech_started": ["item_id", "audio_start_ms"],
        "input_audio_buffer.speech_stopped": ["item_id", "audio_end_ms"],
        "response.created": ["response.id", "response.status"], "response.done": ["response.id", "response.output"],
        "response.output_item.added": ["response_id", "output_index", "item"],
        "response.output_item.done": ["response_id", "output_index", "item"],
        "response.content_part.added": part + ["part"], "response.content_part.done": part + ["part"],
        "response.output_text.delta": part + ["delta"], "response.output_text.done": part + ["text"],
        "response.output_audio.delta": part + ["delta"], "response.output_audio.done": part,
        "response.output_audio_transcript.delta": part + ["delta"],
        "response.output_audio_transcript.done": part + ["transcript"],
        "response.function_call_arguments.delta": ["response_id", "item_id", "output_index", "call_id", "delta"],
        "response.function_call_arguments.done": [
            "response_id", "item_id", "output_index", "call_id", "name", "arguments",
        ],
        "rate_limits.updated": ["rate_limits"],
    ]
}

extension JSONValue {
    /// The value at a dotted path; nil when it is absent or null.
    fileprivate subscript(path path: String) -> JSONValue? {
        let value = path.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] }
        return value == JSONValue.null ? nil : value
    }
}
