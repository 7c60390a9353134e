import GlassesDomain

extension SessionUpdate {
    /// The first value that no server of the protocol accepts, as the error to answer with; nil when all are possible.
    public var firstProblem: RealtimeErrorInfo? {
        if type == nil { return .missing("session.type") }
        return outputModalities.flatMap { OutputChecks.modalities($0, at: "session.output_modalities") }
            ?? input.firstProblem
            ?? output.firstProblem
            ?? tools.flatMap { OutputChecks.tools($0, at: "session.tools") }
            ?? toolChoice.flatMap { OutputChecks.toolChoice($0, at: "session.tool_choice") }
            ?? maxOutputTokens.flatMap { OutputChecks.tokenLimit($0, at: "session.max_output_tokens") }
            ?? truncation.flatMap(Self.problem(of:))
            ?? tracing.value.flatMap(Self.problem(ofTracing:))
    }

    private static func problem(of truncation: Truncation) -> RealtimeErrorInfo? {
        switch truncation {
        case .auto, .disabled: return nil
        case .retentionRatio(let ratio, _) where (0...1).contains(ratio): return nil
        case .retentionRatio:
            return .invalidValue("session.truncation.retention_ratio", "Send a retention ratio from 0 to 1.")
        case .other:
            return .invalidValue("session.truncation", "Send \"auto\", \"disabled\" or a retention ratio.")
        }
    }

    private static func problem(ofTracing tracing: JSONValue) -> RealtimeErrorInfo? {
        if tracing == "auto" || tracing.objectValue != nil { return nil }
        return .invalidValue("session.tracing", "Send \"auto\", an object or null as tracing.")
    }
}

extension AudioInputUpdate {
    var firstProblem: RealtimeErrorInfo? {
        format.flatMap { OutputChecks.format($0, at: "session.audio.input.format") }
            ?? noiseReduction.value.flatMap(Self.problem(of:))
            ?? turnDetection.value.flatMap(Self.problem(of:))
    }

    private static func problem(of reduction: NoiseReduction) -> RealtimeErrorInfo? {
        if ["near_field", "far_field"].contains(reduction.type) { return nil }
        return .invalidValue("session.audio.input.noise_reduction.type", "Send \"near_field\" or \"far_field\".")
    }

    private static func problem(of detection: TurnDetection) -> RealtimeErrorInfo? {
        let path = "session.audio.input.turn_detection"
        switch detection {
        case .serverVAD(let vad):
            if !(0...1).contains(vad.threshold) { return .invalidValue(path + ".threshold", "Send 0 to 1.") }
            if vad.prefixPaddingMs < 0 { return .invalidValue(path + ".prefix_padding_ms", "Send 0 ms or more.") }
            if vad.silenceDurationMs < 0 { return .invalidValue(path + ".silence_duration_ms", "Send 0 ms or more.") }
            if let idle = vad.idleTimeoutMs, idle <= 0 {
                return .invalidValue(path + ".idle_timeout_ms", "Send more than 0 ms, or null for no time-out.")
            }
            return nil
        case .semanticVAD(let vad):
            if ["auto", "low", "medium", "high"].contains(vad.eagerness) { return nil }
            return .invalidValue(path + ".eagerness", "Send \"auto\", \"low\", \"medium\" or \"high\".")
        case .other:
            return .invalidValue(path + ".type", "Send \"server_vad\", \"semantic_vad\" or null.")
        }
    }
}

extension AudioOutputUpdate {
    var firstProblem: RealtimeErrorInfo? {
        if let problem = format.flatMap({ OutputChecks.format($0, at: "session.audio.output.format") }) {
            return problem
        }
        if let speed, !(0.25...1.5).contains(speed) {
            return .invalidValue("session.audio.output.speed", "Send a speed from 0.25 to 1.5.")
        }
        return nil
    }
}

/// Checks that a session update and a `response.create` share; each gives the error for the field at `path`, or nil.
enum OutputChecks {
    static func modalities(_ modalities: [Modality], at path: String) -> RealtimeErrorInfo? {
        if modalities == [.audio] || modalities == [.text] { return nil }
        return .invalidValue(path, "Send [\"audio\"] or [\"text\"].")
    }

    static func format(_ format: AudioFormat, at path: String) -> RealtimeErrorInfo? {
        switch format {
        case .pcmu, .pcma, .standard: nil
        case .pcm: .invalidValue(path + ".rate", "Send 24000 as the rate of audio/pcm.")
        case .other: .invalidValue(path + ".type", "Send \"audio/pcm\", \"audio/pcmu\" or \"audio/pcma\".")
        }
    }

    static func tokenLimit(_ limit: TokenLimit, at path: String) -> RealtimeErrorInfo? {
        guard case .tokens(let count) = limit, !(1...4096).contains(count) else { return nil }
        return .invalidValue(path, "Send 1 to 4096 or \"inf\".")
    }

    /// Tools have a kind that is known and function names that are unique.
    static func tools(_ tools: [ToolDefinition], at path: String) -> RealtimeErrorInfo? {
        var names = Set<String>()
        for (index, tool) in tools.enumerated() {
            switch tool {
            case .function(let function):
                if function.name.isEmpty { return .invalidValue("\(path)[\(index)].name", "Give the tool a name.") }
                if !names.insert(function.name).inserted {
                    return .invalidValue("\(path)[\(index)].name", "Give each tool a name of its own.")
                }
            case .mcp: break
            case .other: return .invalidValue("\(path)[\(index)].type", "Send \"function\" or \"mcp\".")
            }
        }
        return nil
    }

    static func toolChoice(_ choice: ToolChoice, at path: String) -> RealtimeErrorInfo? {
        guard case .other = choice else { return nil }
        return .invalidValue(path, "Send \"auto\", \"none\", \"required\" or the tool to call.")
    }
}
