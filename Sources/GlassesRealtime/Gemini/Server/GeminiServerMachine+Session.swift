import GlassesDomain

extension GeminiServerMachine {
    /// Refusals of what is asked of the session here, at the wrong moment: nothing of the client's.
    private static let harmless: Set<String> = [
        "response_cancel_not_active", "conversation_already_has_active_response", "input_audio_buffer_commit_empty",
        "item_delete_invalid_item_id",
    ]
    /// PCM16 at 24 kHz.
    private static let audioBytesPerMs = 48
    /// How much later than it is sent here audio is heard: the network's way and the client's own buffer.
    private static let playbackDelay = Duration.seconds(1)
    /// The close that follows is the news.
    private static let expired = "session_expired"

    mutating func receive(_ event: ServerEvent, at now: MonotonicTime) {
        switch event {
        case .sessionUpdated(let session): configured(session)
        case .error(let info): failed(info)
        case .responseCreated(let response):
            isAsking = false
            answerId = response.id
            if cutsAnswer { send(.responseCancel(responseId: response.id)) }
            cutsAnswer = false
        case .responseOutputAudioDelta(let audio):
            play(audio.audio.count, from: now)
            actions.append(.deliver(.audio(.pcm(audio.audio, rate: 24_000))))
        case .responseOutputTextDelta(let text):
            deliver { $0.modelTurn = .model(.text(text.text)) }
        case .responseOutputAudioTranscriptDelta(let text):
            if transcribesOutput { deliver { $0.outputTranscription = GeminiTranscription(text: text.text) } }
        case .inputAudioTranscriptionCompleted(let completed):
            if transcribesInput, !completed.isPartial {
                deliver {
                    $0.inputTranscription = GeminiTranscription(text: completed.transcript, isFinished: true)
                }
            }
        case .inputAudioBufferSpeechStarted(let speech): speechStarted(at: speech.audioStartMs, now)
        case .inputAudioBufferSpeechStopped(let speech):
            deliver(.voiceActivity(GeminiVoiceActivity(isStart: false, offsetMs: speech.audioEndMs)))
        case .responseDone(let response): ended(response)
        default: break
        }
    }

    private mutating func deliver(_ change: (inout GeminiServerContent) -> Void) {
        var content = GeminiServerContent()
        change(&content)
        deliver(.serverContent(content))
    }

    /// The client plays this after what it has got already.
    private mutating func play(_ byteCount: Int, from now: MonotonicTime) {
        let length = Duration.milliseconds(byteCount / Self.audioBytesPerMs)
        playsUntil = max(playsUntil, now.advanced(by: Self.playbackDelay)).advanced(by: length)
    }

    private mutating func speechStarted(at startMs: Int, _ now: MonotonicTime) {
        deliver(.voiceActivity(GeminiVoiceActivity(isStart: true, offsetMs: startMs)))
        // An answer is sent faster than it plays. Gemini Live keeps its turn open as long as that; here the client is told to stop.
        if interrupts, answerId == nil, now < playsUntil { interrupt() }
    }

    /// The client stops to play what it has got.
    private mutating func interrupt() {
        playsUntil = .zero
        deliver { $0.isInterrupted = true }
    }

    private mutating func configured(_ session: RealtimeSession) {
        guard case .configuring(let isResumable) = stage else { return }
        stage = .ready
        deliver(.setupComplete(sessionId: session.id))
        // A session of a gateway ends with its connection, and says so to those who ask.
        if isResumable { deliver(.sessionResumptionUpdate(handle: nil)) }
    }

    private mutating func failed(_ info: RealtimeErrorInfo) {
        if case .configuring = stage { return close(Self.invalidArgument, info.message) }
        if info.code == "conversation_already_has_active_response" {
            isAsking = false
            wantsAnswer = true
        }
        guard let code = info.code, !Self.harmless.contains(code), code != Self.expired else { return }
        close(info.type == "invalid_request_error" ? Self.invalidArgument : Self.failed, info.message)
    }

    private mutating func ended(_ response: RealtimeResponse) {
        answerId = nil
        let wanted = response.status == .completed ? response.output.compactMap(Self.call) : []
        if !wanted.isEmpty {
            round = Set(wanted.map(\.id))
            calls.formUnion(round)
            deliver(.toolCall(wanted))
        } else {
            endTurn(response)
        }
        if wantsAnswer {
            wantsAnswer = false
            ask(interrupting: false)
        }
    }

    private mutating func endTurn(_ response: RealtimeResponse) {
        var end = GeminiServerContent()
        end.isTurnComplete = true
        switch response.status {
        case .cancelled: interrupt()
        case .completed, .inProgress: deliver { $0.isGenerationComplete = true }
        case .incomplete:
            deliver { $0.isGenerationComplete = true }
            if response.statusDetails?.reason == .contentFilter { end.turnCompleteReason = "RESPONSE_REJECTED" }
        case .failed: end.turnCompleteReason = "RESPONSE_REJECTED"
        }
        actions.append(
            .deliver(GeminiServerMessage(.serverContent(end), usage: response.usage.map(GeminiUsage.init))))
    }

    private static func call(_ item: ConversationItem) -> GeminiFunctionCall? {
        guard case .functionCall(let call) = item.body else { return nil }
        var arguments: JSONValue = [:]
        do {
            let value = try JSONValue(jsonText: call.arguments)
            if value.objectValue != nil { arguments = value }
        } catch {
            // Gemini Live knows objects only: arguments that are none are missing ones.
        }
        return GeminiFunctionCall(id: call.callId, name: call.name, arguments: arguments)
    }
}

extension GeminiUsage {
    /// The tokens as the realtime protocol counts them.
    fileprivate init(_ usage: Usage) {
        self.init()
        promptTokens = usage.inputTokens
        responseTokens = usage.outputTokens
        totalTokens = usage.totalTokens
    }
}
