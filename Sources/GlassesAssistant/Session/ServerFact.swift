/// What the provider reports of its session; nil where the event does not say.
public struct ServerSessionFacts: Sendable, Hashable, Codable {
    /// The model in use.
    public var model: String?
    /// The voice in use.
    public var voice: String?
    /// Whether the provider itself interrupts its answer when the user speaks.
    public var interruptsResponse: Bool?
    /// Whether the provider itself answers each utterance.
    public var createsResponse: Bool?
    /// When the provider will end the session, in seconds since 1970.
    public var expiresAt: Int?

    /// Facts of a session.
    public init(
        model: String? = nil, voice: String? = nil, interruptsResponse: Bool? = nil, createsResponse: Bool? = nil,
        expiresAt: Int? = nil
    ) {
        self.model = model
        self.voice = voice
        self.interruptsResponse = interruptsResponse
        self.createsResponse = createsResponse
        self.expiresAt = expiresAt
    }

    /// Takes over what an event says and keeps the rest.
    mutating func learn(_ facts: ServerSessionFacts) {
        model = facts.model ?? model
        voice = facts.voice ?? voice
        interruptsResponse = facts.interruptsResponse ?? interruptsResponse
        createsResponse = facts.createsResponse ?? createsResponse
        expiresAt = facts.expiresAt ?? expiresAt
    }
}

/// What kind of item was added to the conversation.
public enum ServerItemKind: Sendable, Hashable, Codable {
    case userMessage
    case assistantMessage
    case functionCall
    case functionCallOutput
    case other
}

/// How an answer ended by the provider's word.
public enum AnswerStatus: Sendable, Hashable, Codable {
    case completed
    case cancelled
    case incomplete(reason: String?)
    case failed(code: String?, message: String?)
}

/// A server event as far as the session cares, free of the wire's form.
///
/// The driver maps GA and beta names onto these and gives empty strings for nothing; unknown events are not mapped.
public enum ServerFact: Sendable, Hashable, Codable {
    /// `session.created`.
    case sessionCreated(ServerSessionFacts)
    /// `session.updated`.
    case sessionUpdated(ServerSessionFacts)
    /// `input_audio_buffer.speech_started`; `startMs` is where the speech begins, prefix padding included, in all audio of the
    /// connection.
    case speechStarted(itemID: String, startMs: Int? = nil)
    /// `input_audio_buffer.speech_stopped`; `endMs` is where it ends in all audio of the connection.
    case speechStopped(itemID: String, endMs: Int? = nil)
    /// `input_audio_buffer.committed`.
    case utteranceCommitted(itemID: String, previousItemID: String?)
    /// `conversation.item.added` (beta: `.created`).
    case itemAdded(itemID: String, previousItemID: String?, kind: ServerItemKind)
    /// `conversation.item.input_audio_transcription.completed`.
    case userTranscriptCompleted(itemID: String, text: String)
    /// `conversation.item.input_audio_transcription.failed`.
    case userTranscriptFailed(itemID: String, code: String?)
    /// `response.created`; out of band when the response has no conversation.
    case answerCreated(responseID: String, metadata: [String: String], isOutOfBand: Bool)
    /// `response.output_item.added`.
    case answerItemAdded(responseID: String, itemID: String, kind: ServerItemKind)
    /// `response.output_audio.delta`: its length in frames at ``SessionConfiguration/outputRate``. The samples stay with the
    /// driver, which plays them if and only if the actions hold ``PlaybackAction/playReceivedAudio(_:)``.
    case answerAudioReceived(SegmentID, frames: Int)
    /// `response.output_audio.done`.
    case answerAudioDone(SegmentID)
    /// `response.output_audio_transcript.delta`: words of a part that is spoken.
    case answerTranscriptReceived(SegmentID, text: String)
    /// `response.output_audio_transcript.done`, with all words of the part.
    case answerTranscriptDone(SegmentID, text: String)
    /// `response.output_text.delta`: words of a part that is not spoken.
    case answerTextReceived(SegmentID, text: String)
    /// `response.output_text.done`, with the whole text of the part.
    case answerTextDone(SegmentID, text: String)
    /// A complete function call, from `response.output_item.done` or from an item inside `response.done`; may come twice.
    case functionCallCompleted(responseID: String, itemID: String, callID: String, name: String, arguments: String)
    /// `response.done`; comes after the function calls inside the same event.
    case answerDone(responseID: String, status: AnswerStatus)
    /// `error`; `eventID` names the command that caused it.
    case errorReported(code: String?, message: String, eventID: String?)
}
