import GlassesDomain

/// What of a session's configuration an endpoint can serve.
extension RealtimeCapabilities {
    /// The turn detection that the endpoint gets in the place of one that it does not have.
    func served(_ detection: TurnDetection) -> TurnDetection {
        switch detection {
        case .semanticVad: semanticTurns ? .semanticVad : .serverVad()
        case .serverVad: detection
        }
    }

    /// What the app is told of its wishes that are not served.
    func problems(with config: AssistantConfig) -> [String] {
        var problems: [String] = []
        if case .managed(_, _, .semanticVad, _) = config.provider, !semanticTurns, config.turnTaking == .automatic {
            problems.append("This endpoint finds turns by silence only; the default of serverVad is used.")
        }
        if config.transcribesInput, !transcribes {
            problems.append("This endpoint writes down nothing that the user says; transcribesInput has no effect.")
        }
        return problems
    }
}
