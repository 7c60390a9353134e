/// Event names of the beta dialect whose GA event has the same fields.
enum BetaNames {
    /// The GA name of `type`; names that did not change stay as they are.
    static func modern(_ type: String) -> String { serverEvents[type] ?? type }

    private static let serverEvents: [String: String] = [
        "response.text.delta": "response.output_text.delta",
        "response.text.done": "response.output_text.done",
        "response.audio.delta": "response.output_audio.delta",
        "response.audio.done": "response.output_audio.done",
        "response.audio_transcript.delta": "response.output_audio_transcript.delta",
        "response.audio_transcript.done": "response.output_audio_transcript.done",
        "conversation.item.created": "conversation.item.added",
        "transcription_session.created": "session.created",
        "transcription_session.updated": "session.updated",
    ]
}
