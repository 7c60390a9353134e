import GlassesDomain

extension ServerEvent {
    /// Writes everything but `type` and `event_id`.
    func write(to writer: inout ObjectWriter) {
        switch self {
        case .error(let info): writer.set("error", info)
        case .sessionCreated(let session), .sessionUpdated(let session): writer.set("session", session)
        case .conversationCreated(let info): writer.set("conversation", info)
        case .conversationItemAdded(let placement), .conversationItemDone(let placement):
            placement.write(to: &writer)
        case .conversationItemRetrieved(let item): writer.set("item", item)
        case .conversationItemTruncated(let truncation): truncation.write(to: &writer)
        case .conversationItemDeleted(let itemId), .mcpListToolsInProgress(let itemId),
            .mcpListToolsCompleted(let itemId), .mcpListToolsFailed(let itemId):
            writer.set("item_id", itemId)
        case .inputAudioTranscriptionDelta(let payload): payload.write(to: &writer)
        case .inputAudioTranscriptionCompleted(let payload): payload.write(to: &writer)
        case .inputAudioTranscriptionSegment(let payload): payload.write(to: &writer)
        case .inputAudioTranscriptionFailed(let payload): payload.write(to: &writer)
        case .inputAudioBufferCommitted(let payload): payload.write(to: &writer)
        case .inputAudioBufferCleared: break
        case .inputAudioBufferSpeechStarted(let payload): payload.write(to: &writer)
        case .inputAudioBufferSpeechStopped(let payload): payload.write(to: &writer)
        case .inputAudioBufferTimeoutTriggered(let payload): payload.write(to: &writer)
        case .inputAudioBufferDTMFReceived(let payload): payload.write(to: &writer)
        case .outputAudioBufferStarted(let responseId), .outputAudioBufferStopped(let responseId),
            .outputAudioBufferCleared(let responseId):
            writer.set("response_id", responseId)
        case .responseCreated(let response), .responseDone(let response): writer.set("response", response)
        case .responseOutputItemAdded(let payload), .responseOutputItemDone(let payload): payload.write(to: &writer)
        case .responseContentPartAdded(let payload), .responseContentPartDone(let payload):
            payload.write(to: &writer)
        case .responseOutputTextDelta(let text), .responseOutputAudioTranscriptDelta(let text):
            text.write("delta", to: &writer)
        case .responseOutputTextDone(let text): text.write("text", to: &writer)
        case .responseOutputAudioTranscriptDone(let text): text.write("transcript", to: &writer)
        case .responseOutputAudioDelta(let payload): payload.write(to: &writer)
        case .responseOutputAudioDone(let payload): payload.write(to: &writer)
        case .responseFunctionCallArgumentsDelta(let payload): payload.write(to: &writer)
        case .responseFunctionCallArgumentsDone(let payload): payload.write(to: &writer)
        case .responseMCPCallArgumentsDelta(let payload): payload.write(to: &writer)
        case .responseMCPCallArgumentsDone(let payload): payload.write(to: &writer)
        case .responseMCPCallInProgress(let call), .responseMCPCallCompleted(let call),
            .responseMCPCallFailed(let call):
            call.write(to: &writer)
        case .rateLimitsUpdated(let limits): writer.set("rate_limits", limits)
        case .unknown(_, let raw): writer.merge(raw.objectValue ?? [:])
        }
    }
}
