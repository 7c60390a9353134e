/// What becomes of a running call when the user says or types something new.
public enum ToolInterruption: Sendable, Hashable, CaseIterable, Codable {
    /// It goes on, and its result is spoken of when it comes.
    case continues
    /// It goes on and its result is kept for the conversation, but the assistant does not begin to speak of it by itself.
    case continuesSilently
    /// It is cancelled.
    case cancels
}

/// How a session treats the calls of a tool.
public struct ToolPolicy: Sendable, Hashable, Codable {
    /// What becomes of a running call when the user goes on; ``ToolInterruption/continues`` by default.
    public var interruption: ToolInterruption
    /// Whether a running call can be called off: by the model through the built-in `cancel_tool`, and by the user through
    /// ``AssistantConfig/cancelPhrases``. False by default, since cancelling undoes nothing that the body has done.
    public var isCancellable: Bool
    /// Whether the user has to agree first. The first call is not run: the model is told to ask, and calls again. The second one runs
    /// only if the user has said or typed something in between, within two minutes, and its arguments are exactly the same; it counts
    /// once. False by default.
    public var needsConfirmation: Bool

    /// A policy.
    public init(
        interruption: ToolInterruption = .continues, isCancellable: Bool = false, needsConfirmation: Bool = false
    ) {
        self.interruption = interruption
        self.isCancellable = isCancellable
        self.needsConfirmation = needsConfirmation
    }

    /// Calls go on whatever the user says, cannot be called off and need no consent.
    public static let standard = ToolPolicy()
}
