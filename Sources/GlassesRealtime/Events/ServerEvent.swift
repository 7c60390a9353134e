import GlassesDomain

/// What a server says to a client.
///
/// Ids that a server left out are empty, indices are 0; see the payloads.
public enum ServerEvent: Sendable, Hashable {
    /// `error`: mostly a refused client event; the session stays open unless the error is fatal.
    case error(RealtimeErrorInfo)
    /// `session.created`: always first, except after `conversation.created` of some servers.
    case sessionCreated(RealtimeSession)
    /// `session.updated`: the whole effective session.
    case sessionUpdated(RealtimeSession)
    /// `conversation.created`: beta and compatible servers only.
    case conversationCreated(ConversationInfo)

    /// `conversation.item.added` (also read from `conversation.item.created`).
    case conversationItemAdded(ItemPlacement)
    /// `conversation.item.done`.
    case conversationItemDone(ItemPlacement)
    /// `conversation.item.retrieved`: the item with its audio.
    case conversationItemRetrieved(ConversationItem)
    /// `conversation.item.truncated`.
    case conversationItemTruncated(ItemTruncation)
    /// `conversation.item.deleted`.
    case conversationItemDeleted(itemId: String)

    /// `conversation.item.input_audio_transcription.delta`.
    case inputAudioTranscriptionDelta(TranscriptionDelta)
    /// `conversation.item.input_audio_transcription.completed`: may come after `response.done`.
    case inputAudioTranscriptionCompleted(TranscriptionCompleted)
    /// `conversation.item.input_audio_transcription.segment`.
    case inputAudioTranscriptionSegment(TranscriptionSegment)
    /// `conversation.item.input_audio_transcription.failed`.
    case inputAudioTranscriptionFailed(TranscriptionFailed)

    /// `input_audio_buffer.committed`.
    case inputAudioBufferCommitted(BufferCommitted)
    /// `input_audio_buffer.cleared`.
    case inputAudioBufferCleared
    /// `input_audio_buffer.speech_started`.
    case inputAudioBufferSpeechStarted(SpeechStarted)
    /// `input_audio_buffer.speech_stopped`.
    case inputAudioBufferSpeechStopped(SpeechStopped)
    /// `input_audio_buffer.timeout_triggered`: the idle time-out; a commit and a response follow.
    case inputAudioBufferTimeoutTriggered(InputTimeout)
    /// `input_audio_buffer.dtmf_event_received`: SIP only; the one event without an id.
    case inputAudioBufferDTMFReceived(DTMFEvent)
    /// `output_audio_buffer.started`: WebRTC and SIP only.
    case outputAudioBufferStarted(responseId: String)
    /// `output_audio_buffer.stopped`: WebRTC and SIP only.
    case outputAudioBufferStopped(responseId: String)
    /// `output_audio_buffer.cleared`: WebRTC and SIP only.
    case outputAudioBufferCleared(responseId: String)

    /// `response.created`.
    case responseCreated(RealtimeResponse)
    /// `response.done`: always comes, however the response ended.
    case responseDone(RealtimeResponse)
    /// `response.output_item.added`.
    case responseOutputItemAdded(OutputItem)
    /// `response.output_item.done`.
    case responseOutputItemDone(OutputItem)
    /// `response.content_part.added`.
    case responseContentPartAdded(OutputContentPart)
    /// `response.content_part.done`.
    case responseContentPartDone(OutputContentPart)

    /// `response.output_text.delta` (beta: `response.text.delta`).
    case responseOutputTextDelta(OutputText)
    /// `response.output_text.done`: the whole text.
    case responseOutputTextDone(OutputText)
    /// `response.output_audio.delta` (beta: `response.audio.delta`).
    case responseOutputAudioDelta(OutputAudio)
    /// `response.output_audio.done`.
    case responseOutputAudioDone(OutputAudioDone)
    /// `response.output_audio_transcript.delta` (beta: `response.audio_transcript.delta`).
    case responseOutputAudioTranscriptDelta(OutputText)
    /// `response.output_audio_transcript.done`: the whole transcript.
    case responseOutputAudioTranscriptDone(OutputText)

    /// `response.function_call_arguments.delta`.
    case responseFunctionCallArgumentsDelta(FunctionArgumentsDelta)
    /// `response.function_call_arguments.done`.
    case responseFunctionCallArgumentsDone(FunctionArgumentsDone)

    /// `response.mcp_call_arguments.delta`.
    case responseMCPCallArgumentsDelta(MCPArgumentsDelta)
    /// `response.mcp_call_arguments.done`.
    case responseMCPCallArgumentsDone(MCPArgumentsDone)
    /// `response.mcp_call.in_progress`.
    case responseMCPCallInProgress(MCPCallReference)
    /// `response.mcp_call.completed`.
    case responseMCPCallCompleted(MCPCallReference)
    /// `response.mcp_call.failed`.
    case responseMCPCallFailed(MCPCallReference)
    /// `mcp_list_tools.in_progress`.
    case mcpListToolsInProgress(itemId: String)
    /// `mcp_list_tools.completed`.
    case mcpListToolsCompleted(itemId: String)
    /// `mcp_list_tools.failed`.
    case mcpListToolsFailed(itemId: String)

    /// `rate_limits.updated`.
    case rateLimitsUpdated([RateLimit])

    /// An event that the protocol does not name, as the whole message came.
    case unknown(type: String, raw: JSONValue)
}
