import GlassesDomain

extension GeminiClientMachine {
    mutating func receive(_ message: GeminiServerMessage) {
        if let usage = message.usage { self.usage = usage }
        switch message.body {
        case .serverContent, .toolCall, .voiceActivity: hasWorked = true
        case nil, .unknown, .setupComplete, .sessionResumptionUpdate, .goAway, .toolCallCancellation: break
        }
        switch message.body {
        case nil, .unknown: break
        case .setupComplete: setupCompleted()
        case .sessionResumptionUpdate(let handle): self.handle = handle
        case .goAway: isGoingAway = true
        case .serverContent(let content): receive(content)
        case .toolCall(let calls): if !isSwallowing { call(calls) }
        case .toolCallCancellation(let ids): calls.cancelled(ids)
        case .voiceActivity(let activity): heard(activity)
        }
    }

    private mutating func receive(_ content: GeminiServerContent) {
        if let words = content.inputTranscription { heard(words) }
        if content.isInterrupted { interrupted() }
        if !isSwallowing {
            for part in content.modelTurn?.parts ?? [] { receive(part) }
            if let words = content.outputTranscription { write(words.text, isSpoken: true) }
        }
        if content.isGenerationComplete, !isSwallowing { endAudio() }
        if content.isTurnComplete { turnCompleted(content.turnCompleteReason) }
    }

    private mutating func receive(_ part: GeminiPart) {
        switch part {
        // Words beside the voice are no part of what is said.
        case .text(let text, let isThought):
            if !isThought, !session.outputModalities.contains(.audio) { write(text, isSpoken: false) }
        case .inlineData(let blob): receive(blob)
        case .functionCall(let call): self.call([call])
        case .functionResponse, .unknown: break
        }
    }

    private mutating func receive(_ blob: GeminiBlob) {
        // The kind without a rate is the server's own format.
        if blob.pcmRate(standard: 24_000) == 24_000 { return speak(blob.data) }
        guard !hasToldForeignAudio else { return }
        hasToldForeignAudio = true
        refuse(
            RealtimeErrorInfo(
                message: "The provider sends audio of another kind than audio/pcm at 24000 Hz, which is not played.",
                type: "server_error", code: "unsupported_output_audio"), nil)
    }

    private mutating func interrupted() {
        isTurnOpen = false
        awaitsTurnEnd = true
        if isSwallowing {
            // What was cancelled is over; nobody has to be told.
            isSwallowing = false
            return
        }
        if !isManual {
            if utterance?.isStopped == true { completeUtterance() }
            if utterance == nil { beginUtterance(at: nil) }
        }
        endAnswer(.cancelled, reason: .turnDetected)
    }

    private mutating func turnCompleted(_ reason: String?) {
        let wasSwallowing = isSwallowing
        let wasCut = awaitsTurnEnd
        isSwallowing = false
        awaitsTurnEnd = false
        if wasCut || wasSwallowing {
            isTurnOpen = false
            return
        }
        // A turn without a word ends what was asked for all the same.
        if answer == nil, request != nil || hasUserTurn { beginAnswer() }
        isTurnOpen = false
        earlyWords = ""
        if utterance?.isStopped == true { completeUtterance() }
        switch reason {
        case nil, "TURN_COMPLETE_REASON_UNSPECIFIED", "NEED_MORE_INPUT": endAnswer(.completed)
        case "MALFORMED_FUNCTION_CALL":
            let message = "The model made a call that cannot be read. Ask again."
            endAnswer(.failed, error: RealtimeErrorInfo(message: message, type: "server_error", code: "malformed_call"))
        case .some: endAnswer(.incomplete, reason: .contentFilter)
        }
    }
}
