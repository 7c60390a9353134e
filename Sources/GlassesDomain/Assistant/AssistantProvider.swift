/// Who answers.
public enum AssistantProvider: Sendable, Hashable {
    /// The configured gateway, or the pipeline in this process. `model` nil leaves the choice to it; `voice` nil is its default
    /// voice. `reasoningEffort` is sent only for models that are known to reason.
    case managed(
        model: String? = nil, voice: String? = nil, turnDetection: TurnDetection = .serverVad(),
        reasoningEffort: ReasoningEffort = .low)
    /// Nobody: a stand-in that needs no network, no device and no model, for trying out an app's tools.
    ///
    /// The texts of ``AssistantSession/sendText(_:)`` are what the user says, also while the session is dormant. Waking and sleeping
    /// move the state and run the hooks, and open nothing; `say` and `greet` do nothing.
    case mock(behavior: MockBehavior = .matchToolDescriptions)

    /// The model that ``managed(model:voice:turnDetection:reasoningEffort:)`` was documented to mean by nil. Here nil leaves the choice to
    /// the gateway; this name asks for it.
    public static let defaultModel = "gpt-realtime-2"
    /// The voice that was documented to be meant by nil, as ``defaultModel``.
    public static let defaultVoice = "alloy"

    /// The former name of ``managed(model:voice:turnDetection:reasoningEffort:)``; the result is a `managed`.
    @available(*, deprecated, renamed: "managed(model:voice:turnDetection:reasoningEffort:)")
    public static func openAI(
        model: String? = nil, voice: String? = nil, turnDetection: TurnDetection = .serverVad(),
        reasoningEffort: ReasoningEffort = .low
    ) -> AssistantProvider {
        .managed(model: model, voice: voice, turnDetection: turnDetection, reasoningEffort: reasoningEffort)
    }
}

/// What the stand-in of ``AssistantProvider/mock(behavior:)`` does with what the user says.
public enum MockBehavior: Sendable, Hashable, CaseIterable {
    /// It calls the first tool, in the order of their registration, whose description contains one of the user's words of three or
    /// more letters or digits, case aside, and always with the arguments `{}`. Then it says how that ended; where no tool fits, that none
    /// does. A call that does not fit the tool's schema, a time-out and a tool that needs an agreement are treated as with a model; the
    /// user agrees by "yes".
    case matchToolDescriptions
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
    /// As little as the model can.
    case minimal
    /// A little: the default.
    case low
    /// As the model would by itself.
    case medium
    /// Long, for questions that need it.
    case high
    /// As long as the model can.
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
