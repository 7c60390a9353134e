/// Who answers.
public enum AssistantProvider: Sendable, Hashable {
    /// The configured gateway, or the pipeline in this process. `model` nil leaves the choice to it; `voice` nil is its default
    /// voice. `reasoningEffort` is sent only for models that are known to reason.
    case managed(
        model: String? = nil, voice: String? = nil, turnDetection: TurnDetection = .serverVad(),
        reasoningEffort: ReasoningEffort = .low)
}

/// How the provider finds the end of an utterance.
public enum TurnDetection: Sendable, Hashable {
    /// By silence. `threshold` is 0…1; `prefixPaddingMs` of audio before the speech are kept; `silenceDurationMs` without speech
    /// end the utterance.
    case serverVad(threshold: Double = 0.5, prefixPaddingMs: Int = 300, silenceDurationMs: Int = 500)
    /// By meaning, where the provider can.
    case semanticVad
}

/// How long a reasoning model thinks.
public enum ReasoningEffort: String, Sendable, Hashable, CaseIterable {
    case minimal
    case low
    case medium
    case high
    case xhigh
}

/// What the assistant says when it wakes.
public enum Greeting: Sendable, Hashable {
    /// ``defaultDirective``, or `fallbackGreeting` where the provider cannot compose.
    case `default`
    /// A directive for the provider, or `fallbackGreeting` where it cannot compose.
    case custom(directive: String)
    /// Nothing.
    case off

    /// The directive of `.default`.
    public static var defaultDirective: String {
        "Greet the user in one short, friendly sentence and say that you are listening."
    }
}
