import GlassesDomain

extension GeminiSetup {
    /// Efforts by their names in the realtime protocol; Gemini Live has none above its highest.
    private static let thinkingLevels = [
        "minimal": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH",
    ]
    /// Higher thresholds want louder speech.
    private static let usualThreshold = 0.5

    /// What a session of the realtime protocol is to Gemini Live.
    init(_ session: RealtimeSession) {
        let name = session.model ?? ""
        self.init(model: name.contains("/") ? name : "models/\(name)")
        let isSpoken = session.outputModalities.contains(.audio)
        responseModalities = [isSpoken ? "AUDIO" : "TEXT"]
        transcribesOutput = isSpoken
        transcribesInput = session.input.transcription != nil
        if case .named(let name) = session.output.voice { voice = name }
        if case .tokens(let count) = session.maxOutputTokens { maxOutputTokens = count }
        thinkingLevel = session.reasoning.flatMap { Self.thinkingLevels[$0.effort] }
        if !session.instructions.isEmpty {
            systemInstruction = GeminiContent(role: nil, parts: [.text(session.instructions)])
        }
        if session.toolChoice != .none {
            functions = session.tools.compactMap { tool in
                guard case .function(let function) = tool else { return nil }
                return GeminiFunctionDeclaration(
                    name: function.name, description: function.description, parameters: function.parameters)
            }
        }
        isResumable = true
        slidesContext = true
        hear(session.input.turnDetection)
    }

    private mutating func hear(_ detection: TurnDetection?) {
        interrupts = detection?.interruptsResponse ?? true
        switch detection {
        case nil: activityDetection.isDisabled = true
        case .serverVAD(let vad):
            activityDetection.prefixPaddingMs = vad.prefixPaddingMs
            activityDetection.silenceDurationMs = vad.silenceDurationMs
            if vad.threshold != Self.usualThreshold {
                activityDetection.startSensitivity =
                    vad.threshold < Self.usualThreshold ? "START_SENSITIVITY_HIGH" : "START_SENSITIVITY_LOW"
            }
        case .semanticVAD(let vad):
            switch vad.eagerness {
            case "high": activityDetection.endSensitivity = "END_SENSITIVITY_HIGH"
            case "low": activityDetection.endSensitivity = "END_SENSITIVITY_LOW"
            default: break
            }
        case .other: break
        }
    }
}
