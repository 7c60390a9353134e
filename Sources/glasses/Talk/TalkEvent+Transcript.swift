import GlassesCore

extension TalkEvent {
    /// The event as a person reads it; nil when there is nothing to read. `isScript` leaves out how to go on.
    func transcript(_ console: Console, isScript: Bool) -> String? {
        switch self {
        case .ready(let facts): facts.introduction(console, isScript: isScript)
        case .state(.activating): console.styled("Waking …", .faint)
        case .state(.reconnecting): console.styled("The connection was lost. Connecting again …", .yellow)
        case .state: nil
        case .assistant(let event): event.transcript(console, isScript: isScript)
        case .speech(let event): event.text.map { console.styled($0, .faint) }
        case .plugin(let event): event.text.map { console.styled($0, event.kind == .givenUp ? .red : .faint) }
        case .timerRinging(let seconds):
            console.styled("The timer for \(SpokenDuration.text(seconds: seconds)) rings. Say \"stop\".", .yellow)
        case .timerStopped: console.styled("The ring is over.", .faint)
        case .error(let problem): console.styled("Error: \(problem.text)", .red)
        case .summary(let summary): summary.transcript(console)
        }
    }
}

extension TalkFacts {
    fileprivate func introduction(_ console: Console, isScript: Bool) -> String {
        let served =
            gateway.map { "Gateway: \($0). Voice: \(voice ?? "its own"). Model: \(brain ?? "its own")." }
            ?? "Recogniser: \(recogniser ?? "none"). Voice: \(voice ?? "none"). Brain: \(brain ?? "none")."
        let lines = ["Device: \(device). \(served)", audioDestination].map { console.styled($0, .faint) }
        return (lines + (isScript ? [] : ["Speak now; Ctrl-C ends the conversation."])).joined(separator: "\n")
    }
}

extension AssistantEvent {
    fileprivate func transcript(_ console: Console, isScript: Bool) -> String? {
        switch self {
        case .userSpoke(let transcript): console.styled("You: ", .bold) + transcript.printable
        case .assistantSpoke(let transcript): console.styled("Assistant: ", .bold) + transcript.printable
        case .toolCalled(let name, let args, _): console.styled("  \(name.printable) \(args.jsonText)", .faint)
        case .toolResult(_, _, let output, let isError, let milliseconds):
            console.styled("  \(isError ? "failed: " : "")\(output) (\(milliseconds) ms)", .faint)
        case .reconnected(_, let milliseconds): console.styled("Connected again after \(milliseconds) ms.", .yellow)
        case .error(let kind, let message): console.styled("Error (\(kind.printable)): \(message.printable)", .red)
        case .wentDormant: isScript ? nil : console.styled("Asleep. Press Return to wake the assistant.", .faint)
        case .sessionEnded(.user, _): nil
        case .sessionEnded(let reason, let message):
            console.styled("The session ended (\(reason.rawValue)). \(message?.printable ?? "")", .red)
        case .sessionStarted, .assistantAudioStarted, .assistantAudioFinished: nil
        }
    }
}

extension TalkSummary {
    fileprivate func transcript(_ console: Console) -> String {
        let figures = "\(turns) turns, \(tools) tool calls, \(errors) errors in \(Int(seconds.rounded())) s."
        let dropped = pendingTimers.map { timer in
            "Dropped the timer for \(SpokenDuration.text(seconds: timer.seconds)), "
                + "\(SpokenDuration.text(seconds: timer.remainingSeconds)) before it would have rung."
        }
        return ([console.styled(figures, .faint)] + dropped).joined(separator: "\n")
    }
}
