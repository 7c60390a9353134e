import GlassesDomain

extension ServerEvent {
    /// Reads an event by its GA name; a type of no family is `.unknown`.
    init(type: String, from reader: inout ObjectReader) throws(RealtimeCodecError) {
        let known =
            if type.hasPrefix("response.") {
                try Self.responseEvent(type, from: &reader)
            } else if type.hasPrefix("conversation.") {
                try Self.conversationEvent(type, from: &reader)
            } else {
                try Self.sessionEvent(type, from: &reader)
            }
        self = known ?? .unknown(type: type, raw: .object(reader.members))
    }

    private static func sessionEvent(
        _ type: String, from reader: inout ObjectReader
    ) throws(RealtimeCodecError) -> ServerEvent? {
        switch type {
        case "error": return .error(try errorInfo(from: &reader))
        case "session.created": return .sessionCreated(try session(from: &reader))
        case "session.updated": return .sessionUpdated(try session(from: &reader))
        case "input_audio_buffer.committed": return .inputAudioBufferCommitted(try BufferCommitted(from: &reader))
        case "input_audio_buffer.cleared": return .inputAudioBufferCleared
        case "input_audio_buffer.speech_started":
            return .inputAudioBufferSpeechStarted(try SpeechStarted(from: &reader))
        case "input_audio_buffer.speech_stopped":
            return .inputAudioBufferSpeechStopped(try SpeechStopped(from: &reader))
        case "input_audio_buffer.timeout_triggered":
            return .inputAudioBufferTimeoutTriggered(try InputTimeout(from: &reader))
        case "input_audio_buffer.dtmf_event_received":
            return .inputAudioBufferDTMFReceived(try DTMFEvent(from: &reader))
        case "output_audio_buffer.started":
            return .outputAudioBufferStarted(responseId: try reader.require("response_id", or: ""))
        case "output_audio_buffer.stopped":
            return .outputAudioBufferStopped(responseId: try reader.require("response_id", or: ""))
        case "output_audio_buffer.cleared":
            return .outputAudioBufferCleared(responseId: try reader.require("response_id", or: ""))
        case "mcp_list_tools.in_progress":
            return .mcpListToolsInProgress(itemId: try reader.require("item_id", or: ""))
        case "mcp_list_tools.completed":
            return .mcpListToolsCompleted(itemId: try reader.require("item_id", or: ""))
        case "mcp_list_tools.failed": return .mcpListToolsFailed(itemId: try reader.require("item_id", or: ""))
        case "rate_limits.updated": return .rateLimitsUpdated(try reader.require("rate_limits", or: []))
        default: return nil
        }
    }

    private static func conversationEvent(
        _ type: String, from reader: inout ObjectReader
    ) throws(RealtimeCodecError) -> ServerEvent? {
        let transcription = "conversation.item.input_audio_transcription."
        switch type {
        case "conversation.created":
            return .conversationCreated(try reader.require("conversation", or: ConversationInfo()))
        case "conversation.item.added": return .conversationItemAdded(try ItemPlacement(from: &reader))
        case "conversation.item.done": return .conversationItemDone(try ItemPlacement(from: &reader))
        case "conversation.item.retrieved":
            return .conversationItemRetrieved(try ItemPlacement.item(from: &reader))
        case "conversation.item.truncated": return .conversationItemTruncated(try ItemTruncation(from: &reader))
        case "conversation.item.deleted":
            return .conversationItemDeleted(itemId: try reader.require("item_id", or: ""))
        case transcription + "delta": return .inputAudioTranscriptionDelta(try TranscriptionDelta(from: &reader))
        case transcription + "completed":
            return .inputAudioTranscriptionCompleted(try TranscriptionCompleted(from: &reader))
        case transcription + "segment": return .inputAudioTranscriptionSegment(try TranscriptionSegment(from: &reader))
        case transcription + "failed": return .inputAudioTranscriptionFailed(try TranscriptionFailed(from: &reader))
        default: return nil
        }
    }

    private static func responseEvent(
        _ type: String, from reader: inout ObjectReader
    ) throws(RealtimeCodecError) -> ServerEvent? {
        switch type {
        case "response.created": return .responseCreated(try response(from: &reader))
        case "response.done": return .responseDone(try endedResponse(from: &reader))
        case "response.output_item.added": return .responseOutputItemAdded(try OutputItem(from: &reader))
        case "response.output_item.done": return .responseOutputItemDone(try OutputItem(from: &reader))
        case "response.content_part.added": return .responseContentPartAdded(try OutputContentPart(from: &reader))
        case "response.content_part.done": return .responseContentPartDone(try OutputContentPart(from: &reader))
        case "response.output_text.delta": return .responseOutputTextDelta(try OutputText("delta", from: &reader))
        case "response.output_text.done": return .responseOutputTextDone(try OutputText("text", from: &reader))
        case "response.output_audio.delta": return .responseOutputAudioDelta(try OutputAudio(from: &reader))
        case "response.output_audio.done": return .responseOutputAudioDone(try OutputAudioDone(from: &reader))
        case "response.output_audio_transcript.delta":
            return .responseOutputAudioTranscriptDelta(try OutputText("delta", from: &reader))
        case "response.output_audio_transcript.done":
            return .responseOutputAudioTranscriptDone(try OutputText("transcript", from: &reader))
        case "response.function_call_arguments.delta":
            return .responseFunctionCallArgumentsDelta(try FunctionArgumentsDelta(from: &reader))
        case "response.function_call_arguments.done":
            return .responseFunctionCallArgumentsDone(try FunctionArgumentsDone(from: &reader))
        default: return try mcpEvent(type, from: &reader)
        }
    }

    private static func mcpEvent(
        _ type: String, from reader: inout ObjectReader
    ) throws(RealtimeCodecError) -> ServerEvent? {
        switch type {
        case "response.mcp_call_arguments.delta":
            return .responseMCPCallArgumentsDelta(try MCPArgumentsDelta(from: &reader))
        case "response.mcp_call_arguments.done":
            return .responseMCPCallArgumentsDone(try MCPArgumentsDone(from: &reader))
        case "response.mcp_call.in_progress": return .responseMCPCallInProgress(try MCPCallReference(from: &reader))
        case "response.mcp_call.completed": return .responseMCPCallCompleted(try MCPCallReference(from: &reader))
        case "response.mcp_call.failed": return .responseMCPCallFailed(try MCPCallReference(from: &reader))
        default: return nil
        }
    }
}

extension ServerEvent {
    private static func session(from reader: inout ObjectReader) throws(RealtimeCodecError) -> RealtimeSession {
        try reader.require("session", or: RealtimeSession())
    }

    private static func response(from reader: inout ObjectReader) throws(RealtimeCodecError) -> RealtimeResponse {
        try reader.require("response", or: RealtimeResponse(id: "", status: .inProgress))
    }

    /// A response that is done has ended, whatever its server wrote; an unnamed end is a complete one.
    private static func endedResponse(from reader: inout ObjectReader) throws(RealtimeCodecError) -> RealtimeResponse {
        var response = try response(from: &reader)
        if response.status == .inProgress { response.status = .completed }
        return response
    }

    /// Some servers put the code beside the error instead of into it.
    private static func errorInfo(from reader: inout ObjectReader) throws(RealtimeCodecError) -> RealtimeErrorInfo {
        var info = try reader.require("error", or: RealtimeErrorInfo(message: "", type: "", code: nil))
        if info.code == nil { info.code = try reader.take("code") }
        return info
    }
}
