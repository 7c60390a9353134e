import GlassesDomain
import GlassesPipeline
import GlassesPluginHost

/// What is told of the speech engines and of the turns that they serve, as log events: `speech.selected`, `speech.fallback`,
/// `speech.unavailable`, `speech.judge_lost` and `speech.turn`.
struct SpeechLog: Sendable {
    /// Writes a line of a level; level nil means that it is delivered whatever the log level is.
    let write: @Sendable (LogLevel?, String, JSONValue) -> Void

    /// Of the engines of a kind.
    func notice(_ kind: PluginKind, _ notice: EngineNotice) {
        let kind = JSONValue.string(kind.rawValue)
        switch notice {
        case .unavailable(let name, let error):
            write(
                .warn, "speech.unavailable",
                [
                    "kind": kind, "plugin": .string(name), "code": .string(error.code),
                    "message": .string(error.message),
                ])
        case .selected(let name): write(nil, "speech.selected", ["kind": kind, "plugin": .string(name)])
        case .replaced(let name, let former, let error):
            write(
                nil, "speech.fallback",
                [
                    "kind": kind, "from": .string(former), "to": .string(name),
                    "code": .string(error?.code ?? "recovered"),
                    "message": .string(error?.message ?? "The better engine works again."),
                ])
        }
    }

    /// Of a session in this process.
    func notice(_ notice: PipelineNotice) {
        switch notice {
        case .judgeLost(let reason, let losses):
            write(
                .warn, "speech.judge_lost",
                ["reason": .string(reason), "losses": .int(Int64(losses)), "insteadUsed": .string(SpeechChoice.energy)])
        case .turnAnswered(let stages):
            write(.info, "speech.turn", stages.json)
        case .brainReplaced(let name, let former, let reason):
            write(
                nil, "speech.fallback",
                [
                    "kind": .string(Self.brain), "from": .string(former), "to": .string(name),
                    "code": .string(reason?.code ?? "recovered"),
                    "message": .string(reason?.message ?? "The chat endpoint answers again."),
                ])
        }
    }

    /// The brain that serves, by its name.
    func selected(brain: String) {
        write(nil, "speech.selected", ["kind": .string(Self.brain), "plugin": .string(brain)])
    }

    /// The chosen chat endpoint cannot be used, so the rules serve.
    func unusable(_ problem: BrainAddressError) {
        write(
            nil, "speech.fallback",
            [
                "kind": .string(Self.brain), "from": "chat", "to": "rules", "code": .string(problem.code),
                "message": .string(problem.message),
            ])
    }

    private static let brain = "brain"
}

extension TurnStages {
    fileprivate var json: JSONValue {
        [
            "endpointMs": .int(Int64(endpointMs)), "recognitionMs": .int(Int64(recognitionMs)),
            "brainMs": .int(Int64(brainMs)), "toolMs": .int(Int64(toolMs)), "synthesisMs": .int(Int64(synthesisMs)),
            "totalMs": .int(Int64(totalMs)),
        ]
    }
}
