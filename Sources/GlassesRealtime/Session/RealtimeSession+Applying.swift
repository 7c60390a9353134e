/// What a server allows beyond the protocol's own rules.
public struct SessionRules: Sendable, Hashable {
    /// Whether the server runs MCP tools.
    public var allowsMCPTools: Bool
    /// Whether audio was already produced, after which the voice is fixed.
    public var voiceIsFixed: Bool

    /// Rules of a server; by default MCP tools are refused and the voice may change.
    public init(allowsMCPTools: Bool = false, voiceIsFixed: Bool = false) {
        self.allowsMCPTools = allowsMCPTools
        self.voiceIsFixed = voiceIsFixed
    }
}

extension RealtimeSession {
    /// The session after `update`, or the error to answer with; a refused update changes nothing.
    ///
    /// Only present fields change, null turns a nullable field off, `model` is ignored, `tracing` is stored. Names of
    /// models and voices are not checked: a server maps or ignores those that it does not have.
    public func applying(
        _ update: SessionUpdate, rules: SessionRules = SessionRules()
    ) -> Result<RealtimeSession, RealtimeErrorInfo> {
        if let problem = update.firstProblem ?? firstConflict(with: update, rules: rules) { return .failure(problem) }
        var session = self
        session.merge(update)
        return .success(session)
    }

    private func firstConflict(with update: SessionUpdate, rules: SessionRules) -> RealtimeErrorInfo? {
        if update.type != type {
            return .invalidValue("session.type", "Send an update of type '\(type.rawValue)': a session keeps its type.")
        }
        let hasMCP = update.tools?.contains { if case .mcp = $0 { true } else { false } } ?? false
        if hasMCP, !rules.allowsMCPTools {
            return .invalidValue("session.tools", "This server runs no MCP tools. Send function tools only.")
        }
        if rules.voiceIsFixed, let voice = update.output.voice, voice != output.voice {
            return RealtimeErrorInfo(
                message: "The voice is fixed once audio was produced. Start a new session for another voice.",
                code: "cannot_update_voice", param: "session.audio.output.voice")
        }
        return nil
    }

    /// Takes over what the update names, unchecked.
    mutating func merge(_ update: SessionUpdate) {
        outputModalities = update.outputModalities ?? outputModalities
        instructions = update.instructions ?? instructions
        mergeAudio(update)
        tools = update.tools ?? tools
        toolChoice = update.toolChoice ?? toolChoice
        parallelToolCalls = update.parallelToolCalls ?? parallelToolCalls
        reasoning = update.reasoning ?? reasoning
        maxOutputTokens = update.maxOutputTokens ?? maxOutputTokens
        truncation = update.truncation ?? truncation
        prompt = update.prompt.applied(to: prompt)
        tracing = update.tracing.applied(to: tracing)
        include = update.include.applied(to: include)
        extra.merge(update.extra) { _, new in new }
    }

    private mutating func mergeAudio(_ update: SessionUpdate) {
        input.format = update.input.format ?? input.format
        input.transcription = update.input.transcription.applied(to: input.transcription)
        input.noiseReduction = update.input.noiseReduction.applied(to: input.noiseReduction)
        input.turnDetection = update.input.turnDetection.applied(to: input.turnDetection)
        input.extra.merge(update.input.extra) { _, new in new }
        output.format = update.output.format ?? output.format
        output.voice = update.output.voice ?? output.voice
        output.speed = update.output.speed ?? output.speed
        output.extra.merge(update.output.extra) { _, new in new }
    }
}
