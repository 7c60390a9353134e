import GlassesCore

/// What happened, in one line. Without a `default`, so that the compiler tells of a case that is new.
func line(for event: AssistantEvent) -> String {
    switch event {
    case .sessionStarted(let provider, let model, let voice):
        "Started: \(provider), model \(model ?? "unknown"), voice \(voice ?? "its own")"
    case .sessionEnded(let reason, let message): "Ended \(words(for: reason)). \(message ?? "")"
    case .wentDormant: "Asleep; /wake wakes it."
    case .userSpoke(let transcript): "You: \(transcript)"
    case .assistantSpoke(let transcript): "Assistant: \(transcript)"
    case .assistantAudioStarted: "(speaks)"
    case .assistantAudioFinished: "(is silent)"
    case .toolCalled(let name, let args, let callId): "Calls \(name) with \(args.jsonText) (\(callId))"
    case .toolResult(let callId, let name, let output, let isError, let durationMs):
        "\(name) \(isError ? "failed" : "answered") after \(durationMs) ms: \(output) (\(callId))"
    case .reconnected(let reason, let downtimeMs): "Connected anew \(words(for: reason)), after \(downtimeMs) ms"
    case .error(let kind, let message): "Error (\(kind)): \(message)"
    }
}

private func words(for reason: EndReason) -> String {
    switch reason {
    case .user: "as wanted"
    case .error: "because it could not go on"
    case .ceiling: "because the provider allows no longer session"
    }
}

private func words(for reason: ReconnectReason) -> String {
    switch reason {
    case .proactiveCadence: "as planned"
    case .ceilingApproach: "before the provider's longest session was over"
    case .networkDrop: "because the connection was lost"
    }
}

/// A turn of the conversation, in one line.
func line(for turn: Turn) -> String {
    let text =
        switch turn {
        case .userText(let text, _): "You: \(text)"
        case .assistantText(let text, _): "Assistant: \(text)"
        case .toolInvocation(let name, let callId, let argsJson, _): "\(name)(\(argsJson)) as \(callId)"
        case .toolReturn(let callId, let output, _): "\(callId): \(output)"
        }
    return "\(turn.timestampMs) \(text)"
}

/// What a state means to somebody at the keyboard.
func sentence(for state: AssistantState) -> String {
    switch state {
    case .idle: "Not started."
    case .dormant: "It hears nothing."
    case .activating: "It wakes."
    case .active: "It listens."
    case .reconnecting: "The connection is gone for a moment."
    case .sleeping: "It goes to sleep."
    case .stopping: "It ends."
    case .stopped: "It has ended."
    }
}

/// What to do about a call that failed.
func advice(on error: AssistantError) -> String {
    let side = error.blame == .local ? "Here" : "There"
    return "\(side), \(error.code): \(nextStep(after: error))"
}

private func nextStep(after error: AssistantError) -> String {
    switch error {
    case .noApiKey: "Set EXTENTOS_GATEWAY_TOKEN. \(error.description)"
    case .alreadyActive: "/stop first. \(error.description)"
    case .sessionEnded: "/again begins a new one. \(error.description)"
    case .notReady: "/wake first. \(error.description)"
    case .networkError(let cause): "Wait and try again: \(cause)"
    case .providerError(let code, let message): "\(code): \(message)"
    }
}

/// Reads how loud the voice is until the session ends, and prints the loudest moment of each turn.
func printLoudest(of levels: AsyncStream<Float>) async {
    var loudest: Float = 0
    for await level in levels {
        loudest = max(loudest, level)
        guard level == 0, loudest > 0 else { continue }
        print("Loudest: \(loudest)")
        loudest = 0
    }
}

/// The same for a program that reads along: the event's name and fields as JSON.
func json(for event: AssistantEvent) -> String {
    var fields = event.fields
    fields["event"] = .string(event.name)
    return JSONValue.object(fields).jsonText
}

/// A model in one line, with what it can do and its voices.
func line(for model: AssistantModel) -> String {
    var can = [model.provider]
    if model.reasoningCapable, assistantModelSupportsReasoning(model.id) { can.append("reasons") }
    if assistantModelSupportsVideo(model.id) { can.append("looks at video") }
    let ours = AssistantCatalogue.voices(forModel: model.id)
    let others = AssistantCatalogue.voices.filter { voice in !ours.contains(voice) && voice.provider == model.provider }
    let voices = (ours + others).map { "\($0.label) (\($0.id))" }
    return
        "\(model.id): \(model.label). \(model.description) \(can.joined(separator: ", ")). \(voices.joined(separator: " "))"
}
