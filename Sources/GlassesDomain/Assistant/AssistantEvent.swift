/// Why a session ended.
public enum EndReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The app called `stop()`.
    case user
    /// The connection was refused for good, or could not be restored.
    case error
    /// The provider's longest session was reached and no new connection was allowed.
    case ceiling
}

/// Why a session connected anew.
public enum ReconnectReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// A planned change of connection at a quiet moment.
    case proactiveCadence = "proactivecadence"
    /// The provider's longest session was about to be reached.
    case ceilingApproach = "ceilingapproach"
    /// The connection was lost.
    case networkDrop = "networkdrop"
}

/// What an assistant session reports. Events carry transcripts word for word; treat them as private.
public enum AssistantEvent: Sendable, Hashable, Encodable {
    /// The provider accepted the session; once per wake, with the mock provider once at the start.
    case sessionStarted(provider: String, model: String?, voice: String?)
    /// The session ended; the last event of a started session, exactly once.
    case sessionEnded(reason: EndReason, message: String?)
    /// The session fell asleep; once per sleep.
    case wentDormant
    /// An utterance of the user was understood.
    case userSpoke(transcript: String)
    /// The words of an answer are complete, usually seconds before they have been heard; of a cut answer, the words that were heard.
    case assistantSpoke(transcript: String)
    /// The assistant became audible. Alternates strictly with ``assistantAudioFinished``.
    case assistantAudioStarted
    /// The assistant's whole turn, tool calls included, has been heard or was cut.
    case assistantAudioFinished
    /// The model called a tool; comes before the body runs. Arguments that are not JSON are reported as a string.
    case toolCalled(name: String, args: JSONValue, callId: String)
    /// The call ended; exactly once per `toolCalled`.
    case toolResult(callId: String, name: String, output: String, isError: Bool, durationMs: Int64)
    /// The session goes on over a new connection; `downtimeMs` is the time without one.
    case reconnected(reason: ReconnectReason, downtimeMs: Int64)
    /// Something failed and the session goes on. `kind` is a machine code such as `wake_hook`, `sleep_hook`, `device_lost`,
    /// `include_image_unsupported_uri`, `video_input_unsupported`, `vision_unsupported` or a provider's own.
    case error(kind: String, message: String)
}
