extension AssistantEvent {
    /// The event's name in snake case, such as `user_spoke`.
    public var name: String {
        switch self {
        case .sessionStarted: "session_started"
        case .sessionEnded: "session_ended"
        case .wentDormant: "went_dormant"
        case .userSpoke: "user_spoke"
        case .assistantSpoke: "assistant_spoke"
        case .assistantAudioStarted: "audio_started"
        case .assistantAudioFinished: "audio_finished"
        case .toolCalled: "tool_called"
        case .toolResult: "tool_result"
        case .reconnected: "reconnected"
        case .error: "error"
        }
    }

    /// The event's fields by the names of its parameters.
    public var fields: [String: JSONValue] {
        switch self {
        case .sessionStarted(let provider, let model, let voice):
            ["provider": .string(provider), "model": Self.optional(model), "voice": Self.optional(voice)]
        case .sessionEnded(let reason, let message):
            ["reason": .string(reason.rawValue), "message": Self.optional(message)]
        case .wentDormant, .assistantAudioStarted, .assistantAudioFinished: [:]
        case .userSpoke(let transcript), .assistantSpoke(let transcript): ["transcript": .string(transcript)]
        case .toolCalled(let name, let args, let callId):
            ["name": .string(name), "args": args, "callId": .string(callId)]
        case .toolResult(let callId, let name, let output, let isError, let durationMs):
            [
                "callId": .string(callId), "name": .string(name), "output": .string(output), "isError": .bool(isError),
                "durationMs": .int(durationMs),
            ]
        case .reconnected(let reason, let downtimeMs):
            ["reason": .string(reason.rawValue), "downtimeMs": .int(downtimeMs)]
        case .error(let kind, let message): ["kind": .string(kind), "message": .string(message)]
        }
    }

    private static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
