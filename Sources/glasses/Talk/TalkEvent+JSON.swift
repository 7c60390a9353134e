import GlassesCore

extension TalkEvent {
    /// The event as a line for scripts.
    func line(seconds: Double) -> JSONLine { JSONLine(seconds: seconds, event: jsonName, fields: jsonFields) }

    private var jsonName: String {
        switch self {
        case .ready: "ready"
        case .state: "state"
        case .assistant(let event): event.jsonName
        case .speech(let event): event.kind.rawValue
        case .plugin(let event): event.kind.rawValue
        case .timerRinging: "timerRinging"
        case .timerStopped: "timerStopped"
        case .error: "error"
        case .summary: "summary"
        }
    }

    private var jsonFields: [String: JSONValue] {
        switch self {
        case .ready(let facts):
            [
                "device": .string(facts.device), "audioDestination": .string(facts.audioDestination),
                "echoCancellation": facts.cancelsEcho.map(JSONValue.bool) ?? .null,
                "gateway": facts.gateway.map(JSONValue.string) ?? .null,
                "recogniser": facts.recogniser.map(JSONValue.string) ?? .null,
                "voiceActivity": facts.voiceActivity.map(JSONValue.string) ?? .null,
                "voice": facts.voice.map(JSONValue.string) ?? .null,
                "brain": facts.brain.map(JSONValue.string) ?? .null,
            ]
        case .state(let state): ["state": .string(state.rawValue)]
        case .assistant(let event): event.fields
        case .speech(let event): event.fields
        case .plugin(let event): event.fields
        case .timerRinging(let seconds): ["seconds": .int(Int64(seconds))]
        case .timerStopped: [:]
        case .error(let problem): ["kind": .string(problem.code), "message": .string(problem.sentence)]
        case .summary(let summary): summary.jsonFields
        }
    }
}

extension AssistantEvent {
    /// The name of the case, which is the event's name in `talk --json`.
    fileprivate var jsonName: String {
        switch self {
        case .sessionStarted: "sessionStarted"
        case .sessionEnded: "sessionEnded"
        case .wentDormant: "wentDormant"
        case .userSpoke: "userSpoke"
        case .assistantSpoke: "assistantSpoke"
        case .assistantAudioStarted: "assistantAudioStarted"
        case .assistantAudioFinished: "assistantAudioFinished"
        case .toolCalled: "toolCalled"
        case .toolResult: "toolResult"
        case .reconnected: "reconnected"
        case .error: "error"
        }
    }
}

extension TalkSummary {
    fileprivate var jsonFields: [String: JSONValue] {
        let timers = pendingTimers.map { timer in
            JSONValue.object([
                "seconds": .int(Int64(timer.seconds)), "remainingSeconds": .int(Int64(timer.remainingSeconds)),
            ])
        }
        return [
            "turns": .int(Int64(turns)), "tools": .int(Int64(tools)), "errors": .int(Int64(errors)),
            "pluginDeaths": .int(Int64(pluginDeaths)),
            "seconds": .double((seconds * 1_000).rounded() / 1_000), "pendingTimers": .array(timers),
        ]
    }
}
