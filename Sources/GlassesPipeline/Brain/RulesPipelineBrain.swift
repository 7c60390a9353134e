import GlassesDomain
import GlassesRealtime
import Synchronization

/// The `rules` brain behind the pipeline: always there, needs nothing, and cannot compose.
public struct RulesPipelineBrain: PipelineBrain {
    /// A brain; it has no settings.
    public init() {}

    /// `rules`.
    public var name: String { "rules" }
    /// Never: it speaks results and a few fixed sentences.
    public var canCompose: Bool { false }
    /// Never.
    public var acceptsImages: Bool { false }

    /// A conversation with its own open question.
    public func makeSession() -> any PipelineBrainSession { RulesSession() }
}

/// One conversation with the rules: what the last question was.
final class RulesSession: PipelineBrainSession {
    private let brain = Mutex(RulesBrain())

    func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply {
        switch request.occasion {
        case .nothingUnderstood, .silence: return BrainReply()
        case .unprompted: return BrainReply()
        case .turn: break
        }
        let answers = request.pending.compactMap(Self.answer)
        var speech = answers.isEmpty ? [] : [SpokenResult.spokenAnswer(for: answers)]
        var calls: [BrainFunctionCall] = []
        let tools = request.tools.map {
            BrainTool(name: $0.name, description: $0.description ?? "", parameters: $0.parameters)
        }
        for case .user(let text) in request.pending {
            let decision = brain.withLock {
                $0.interpret(text, tools: tools, toolChoice: BrainToolChoice(request.toolChoice))
            }
            if case .calls(let made) = decision {
                calls += made.map { BrainFunctionCall(name: $0.name, arguments: $0.arguments.jsonText) }
            }
            if let spoken = decision.spokenText { speech.append(spoken) }
        }
        return BrainReply(speech: speech.isEmpty ? nil : speech.joined(separator: " "), calls: calls)
    }

    private static func answer(_ message: BrainMessage) -> ToolAnswer? {
        guard case .result(_, let name, let output) = message else { return nil }
        return ToolAnswer(call: BrainCall(name: name), output: output)
    }
}

extension BrainToolChoice {
    fileprivate init(_ choice: ToolChoice) {
        switch choice {
        case .none: self = .none
        case .required: self = .required
        case .function(let name): self = .named(name)
        case .auto, .mcp, .other: self = .auto
        }
    }
}
