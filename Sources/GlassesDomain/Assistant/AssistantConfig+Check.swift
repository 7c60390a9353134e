extension AssistantConfig {
    /// The first value that cannot be meant; nil when the session can start with this configuration. Its tools are checked apart from it:
    /// ``ToolRegistrationError``.
    public var problem: AssistantConfigError? { numberProblem ?? reconnect.problem ?? wordProblem ?? detectionProblem }

    private var numberProblem: AssistantConfigError? {
        if let silenceTimeout, !Self.isSpan(silenceTimeout) {
            return AssistantConfigError(field: "silenceTimeout", requirement: "above 0 seconds, or nil for never")
        }
        if historyCap < 1 { return AssistantConfigError(field: "historyCap", requirement: "at least 1") }
        if !(1...Self.defaultMaxConcurrentTools).contains(maxConcurrentTools) {
            let requirement = "1 to \(Self.defaultMaxConcurrentTools)"
            return AssistantConfigError(field: "maxConcurrentTools", requirement: requirement)
        }
        var spans = [("toolTimeout", toolTimeout), ("deviceReturnTimeout", deviceReturnTimeout)]
        for tool in tools { if let timeout = tool.timeout { spans.append(("tools.\(tool.name).timeout", timeout)) } }
        return spans.first { !Self.isSpan($0.1) }.map {
            AssistantConfigError(field: $0.0, requirement: "above 0 seconds")
        }
    }

    private var wordProblem: AssistantConfigError? {
        guard let withinSessionMemory, !["smart", "basic"].contains(withinSessionMemory) else { return nil }
        return AssistantConfigError(
            field: "withinSessionMemory", code: "unknown_value", requirement: "\"smart\", \"basic\" or nil")
    }

    private var detectionProblem: AssistantConfigError? {
        guard case .managed(_, _, .serverVad(let threshold, let prefix, let silence), _) = provider else { return nil }
        if !(0...1).contains(threshold) {
            return AssistantConfigError(field: "turnDetection.threshold", requirement: "0 to 1")
        }
        if prefix < 0 {
            return AssistantConfigError(field: "turnDetection.prefixPaddingMs", requirement: "0 milliseconds or more")
        }
        if silence < 1 {
            return AssistantConfigError(field: "turnDetection.silenceDurationMs", requirement: "above 0 milliseconds")
        }
        return nil
    }

    /// Whether a number of seconds is a time that can pass.
    private static func isSpan(_ seconds: Double) -> Bool { seconds.isFinite && seconds > 0 }
}

extension ReconnectConfig {
    fileprivate var problem: AssistantConfigError? {
        // Not a number is in no range.
        if !(0.01...60).contains(firstWait) {
            return AssistantConfigError(field: "reconnect.firstWait", requirement: "0.01 to 60 seconds")
        }
        if !(firstWait...600).contains(longestWait) {
            return AssistantConfigError(field: "reconnect.longestWait", requirement: "firstWait to 600 seconds")
        }
        if !(0...86_400).contains(giveUpAfter) {
            return AssistantConfigError(field: "reconnect.giveUpAfter", requirement: "0 to 86400 seconds")
        }
        return nil
    }
}
