/// A model that is known by its name: what to show in a choice, and what it can do.
public struct AssistantModel: Sendable, Hashable, Identifiable {
    /// The name that ``AssistantProvider/managed(model:voice:turnDetection:reasoningEffort:)`` takes.
    public let id: String
    /// A short name to show.
    public let label: String
    /// A sentence to show.
    public let description: String
    /// Whether ``AssistantSession/setReasoningEffort(_:)`` has a meaning for it.
    public let reasoningCapable: Bool
    /// Who makes it: `openai` or `gemini`.
    public let provider: String
}

/// A voice that is known by its name.
public struct AssistantVoice: Sendable, Hashable, Identifiable {
    /// The name that ``AssistantProvider/managed(model:voice:turnDetection:reasoningEffort:)`` takes.
    public let id: String
    /// A short name to show.
    public let label: String
    /// Whose models have it, as in ``AssistantModel/provider``.
    public let provider: String
}

/// The models and voices that are known by name, for an app that shows a choice.
///
/// It is a list, no limit: every other name is passed on, and the gateway says whether it knows it. A gateway of one's own tells its
/// models at `/v1/models`.
public enum AssistantCatalogue {
    /// The models.
    public static let models = [
        AssistantModel(
            id: "gpt-realtime-2", label: "GPT Realtime 2", description: "Speaks, listens and reasons.",
            reasoningCapable: true, provider: "openai"),
        AssistantModel(
            id: "gpt-realtime-2.1", label: "GPT Realtime 2.1", description: "Speaks, listens and reasons.",
            reasoningCapable: true, provider: "openai"),
        AssistantModel(
            id: "gpt-realtime-2.1-mini", label: "GPT Realtime 2.1 mini",
            description: "Speaks, listens and reasons; smaller, and quicker to answer.", reasoningCapable: true,
            provider: "openai"),
        AssistantModel(
            id: "gpt-realtime-mini", label: "GPT Realtime mini",
            description: "Speaks and listens, without reasoning; the quickest to answer.", reasoningCapable: false,
            provider: "openai"),
        AssistantModel(
            id: "gemini-3.1-flash-live-preview", label: "Gemini 3.1 Flash Live",
            description: "Speaks, listens, reasons, and looks at live video.", reasoningCapable: true,
            provider: "gemini"),
    ]

    /// The voices.
    public static let voices = [
        "alloy", "ash", "ballad", "cedar", "coral", "echo", "marin", "sage", "shimmer", "verse",
    ].map { AssistantVoice(id: $0, label: $0.prefix(1).uppercased() + $0.dropFirst(), provider: "openai") }

    /// The voices that a model has; none for a model whose maker's voices are not known.
    public static func voices(forModel id: String) -> [AssistantVoice] {
        guard let provider = provider(ofModel: id) else { return [] }
        return voices.filter { $0.provider == provider }
    }

    /// Who makes a model, by the beginning of its name; nil when that says nothing.
    private static func provider(ofModel id: String) -> String? {
        let makers = [("gpt-", "openai"), ("gemini-", "gemini"), ("grok-", "xai")]
        return makers.first { id.hasPrefix($0.0) }?.1
    }
}

/// Whether a model is known to reason; false for one that is not known, and for none. Dated snapshots such as `gpt-realtime-2025-08-28`
/// are of an older model.
public func assistantModelSupportsReasoning(_ model: String?) -> Bool {
    guard let model else { return false }
    return model == "gpt-realtime-2"
        || ["gpt-realtime-2.", "gpt-realtime-2-", "gemini-"].contains { model.hasPrefix($0) }
}

/// Whether a model is known to look at live video (``AssistantSession/sendVideoFrame(_:mimeType:)``); false for one that is not known, and
/// for none. A preview or a dated snapshot has the model's name and more.
public func assistantModelSupportsVideo(_ model: String?) -> Bool {
    let name = "gemini-3.1-flash-live"
    return model == name || model?.hasPrefix(name + "-") == true
}
