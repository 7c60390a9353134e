import GlassesRealtime

extension PipelineMachine {
    mutating func updateSession(_ update: SessionUpdate, eventId: String?) {
        switch Self.applying(update, to: session, voiceIsFixed: hasProducedAudio) {
        case .failure(let error): refuse(error, eventId: eventId)
        case .success(let updated):
            session = updated
            reconfigureTurnDetection()
            send(.sessionUpdated(session))
        }
    }

    /// `session` after `update`, or the error to answer with: for what the protocol forbids, for formats that this server does
    /// not have, and for a configuration whose echo no client could receive.
    static func applying(
        _ update: SessionUpdate, to session: RealtimeSession, voiceIsFixed: Bool
    ) -> Result<RealtimeSession, RealtimeErrorInfo> {
        if let problem = unsupportedFormat(update.input.format, "session.audio.input.format")
            ?? unsupportedFormat(update.output.format, "session.audio.output.format")
        {
            return .failure(problem)
        }
        let result = session.applying(update, rules: SessionRules(voiceIsFixed: voiceIsFixed))
        guard case .success(let updated) = result, isTooLong(updated) else { return result }
        return .failure(.refusal("session", "Send at most 1 MiB of instructions, tools and other settings."))
    }

    private static func isTooLong(_ session: RealtimeSession) -> Bool {
        RealtimeCodec.encode(.sessionUpdated(session), eventId: "").count > PipelineLimits.sessionBytes
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
        restartJudging()
        actions.work.append(.cancelTimer(.idle))
    }
}
