import GlassesRealtime

extension PipelineMachine {
    mutating func updateSession(_ update: SessionUpdate, eventId: String?) {
        if let problem = Self.unsupportedFormat(update.input.format, "session.audio.input.format")
            ?? Self.unsupportedFormat(update.output.format, "session.audio.output.format")
        {
            return refuse(problem, eventId: eventId)
        }
        switch session.applying(update, rules: SessionRules(voiceIsFixed: hasProducedAudio)) {
        case .failure(let error): refuse(error, eventId: eventId)
        case .success(let updated):
            session = updated
            reconfigureTurnDetection()
            send(.sessionUpdated(session))
        }
    }

    /// The error for a format that the protocol has and this server does not.
    static func unsupportedFormat(_ format: AudioFormat?, _ path: String) -> RealtimeErrorInfo? {
        guard let format, format != .standard else { return nil }
        return .refusal(path, "This server speaks {\"type\": \"audio/pcm\", \"rate\": 24000} only.")
    }

    /// Speech that is heard under other rules than those it began with is not an utterance.
    private mutating func reconfigureTurnDetection() {
        let settings = InputAudioBuffer.Settings(session.input.turnDetection)
        guard let next = buffer.reconfigured(settings) else { return }
        buffer = next
        dropUtterance()
        actions.work.append(.cancelTimer(.idle))
    }
}
