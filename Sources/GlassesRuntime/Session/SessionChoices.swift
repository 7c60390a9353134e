import GlassesAssistant
import GlassesDomain

/// What the app may choose anew while a session lives; every connection begins with what holds then.
struct SessionChoices: Sendable, Hashable {
    var instructions: String
    var model: String?
    var voice: String?
    var effort: ReasoningEffort

    init(_ config: AssistantConfig) {
        instructions = config.instructions
        switch config.provider {
        case .managed(let model, let voice, _, let effort):
            (self.model, self.voice, self.effort) = (model, voice, effort)
        case .mock: (model, voice, effort) = (nil, nil, .low)
        }
    }
}

extension SessionDriver {
    /// Chooses anew. What the provider or the session refuses is as it was before, unless it was chosen once more meanwhile.
    func choose<Value: Equatable & Sendable>(
        _ path: any WritableKeyPath<SessionChoices, Value> & Sendable, _ value: Value, needsConnection: Bool = false
    ) async -> OperationOutcome {
        let before = choices[keyPath: path]
        choices[keyPath: path] = value
        let outcome = await perform(.applyChoices(needsConnection: needsConnection))
        if case .failed = outcome, choices[keyPath: path] == value { choices[keyPath: path] = before }
        return outcome
    }
}
